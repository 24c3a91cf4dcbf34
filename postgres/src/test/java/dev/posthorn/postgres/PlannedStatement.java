package dev.posthorn.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How one of the statements is run, with what, and which tables it may read whole.
 *
 * @param arguments each as {@code type:literal}, in the order of the placeholders
 */
record PlannedStatement(Settings settings, Set<String> wholeTables, List<String> arguments) {

    /** What the planner is told before. */
    enum Settings {
        /** {@link PlainPlans}, for whatever runs often on tables that grow. */
        PLAIN_PLANS,
        DEFAULT,
        /** It has no plan, or none that EXPLAIN could show: a command, or a call of one function. */
        NO_PLAN
    }

    /** They have a row for each lane of a route, each relay, each route, each migration. */
    private static final Set<String> SMALL = Set.of("lease", "relay", "route", "log", "migration");

    private static final String LANES = "smallint[]:'{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}'";
    private static final String ONES = "bigint[]:'{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}'";
    private static final String INTS = "int[]:'{9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9}'";
    private static final String ROUTE = "smallint:1";
    private static final String RELAY = "text:'r'";
    private static final String LANE = "smallint[]:'{3}'";
    private static final String NUMBER = "bigint[]:'{77}'";
    private static final String TEXT = "text[]:'{k77}'";
    private static final String ID = "uuid[]:'{0199d3a0-0000-7000-8000-00000000beef}'";
    private static final String CURSOR = "text[]:ARRAY['(\"800:900:850\",50,,)']";
    private static final String XID = "text[]:'{800}'";

    private static final Map<String, PlannedStatement> ALL = new TreeMap<>();

    static {
        noPlan("begin", "commit", "discard", "emit_lock_keys", "emit_once", "grant_role", "redrive", "renew_grants");
        noPlan("prune", "prune_look", "prune_checkpoints", "prune_flushes");
        noPlan("rebase", "rebase_needs");
        small("is_home");
        small("prune_lanes");
        noPlan("archive_turn", "archive_stop", "archive_look", "archive_published", "archive_remove");
        noPlan("replay_start", "replay_cancel", "replay_resume", "replay_patience");
        noPlan("replay_claim", "replay_page", "replay_advance", "replay_finish", "replay_release");
        noPlan(
                "first_time",
                "first_times",
                "keep_letter",
                "redriven",
                "take_letter",
                "dead_again",
                "report_consumer",
                "leave_consumer");
        noPlan("hand_over", "take_handovers", "finish_handovers", "release_handovers");
        noPlan("redrive_events", "discard_events", "redrive_letters", "discard_letters", "pause_consumer");
        noPlan("prune_inbox", "prune_letters", "prune_calls", "prune_positions");
        noPlan("claim_call", "answer_call", "release_call");
        noPlan("advance_position", "move_position");
        noPlan("claim_payloads", "released_payloads", "unknown_payloads", "mark_payload", "unmark_payload");
        noPlan("kept_events", "release_archived_payloads");
        noPlan("claim_command", "claim_lapsed_run", "begin_step", "finish_step", "fail_step", "end_run");
        noPlan("renew_run");
        noPlan("not_given_up", "prune_commands");
        noPlan("route_pause", "route_resume", "route_retire", "record_action");
        noPlan("begin_bulk", "create_destination", "found_destination", "is_destination", "miss_destination");
        noPlan("redirect_route", "settle_route", "unheard_destinations");
        put("destination_list", Settings.DEFAULT, Set.of("destination"));
        noPlan("migration_create", "migration_lock", "migration_schema", "migration_table");
        small("migration_history");
        small("migration_lanes");
        small("migration_declare", "int:1", "int:99");
        small("migration_record", "int:99", "text:'x'", "text:'x'");
        small("route_find", "text:'main'");
        // A time is looked for once, in the whole log.
        put(
                "route_create",
                Settings.PLAIN_PLANS,
                Set.of("outbox", "outbox_seq_seq"),
                "text:'another'",
                "text[]:NULL",
                "text[]:NULL",
                "text[]:NULL",
                "text[]:NULL",
                "text:'now'",
                "timestamptz:NULL");
        small("route_list");
        small("incarnation");
        small("relay_leave", ROUTE, RELAY);
        small("lease_acquire", RELAY, "bigint:1000", ROUTE, "int:16", ROUTE);
        small("lease_live", ROUTE, RELAY, "bigint:9");
        small("lease_release", LANES, ONES, ROUTE, RELAY);
        small(
                "lease_renew",
                ROUTE,
                RELAY,
                "bigint:7",
                "text:NULL",
                "text:NULL",
                ROUTE,
                RELAY,
                "bigint:9",
                LANES,
                ONES,
                ROUTE,
                RELAY,
                ROUTE,
                RELAY,
                "bigint:9");
        emits();
        reads();
        flushes();
        inspections();
        doctor();
    }

    static Map<String, PlannedStatement> all() {
        return ALL;
    }

    private static void emits() {
        String text = "text:'shop'";
        String time = "timestamptz:NULL";
        put(
                "emit_one",
                Settings.DEFAULT,
                Set.of(),
                "uuid:gen_random_uuid()",
                text,
                text,
                text,
                "bigint:1",
                text,
                text,
                text,
                text,
                text,
                text,
                "text:'{}'",
                text,
                "bytea:''",
                "timestamptz:now()",
                time,
                "bigint:1");
        put(
                "emit_many",
                Settings.DEFAULT,
                Set.of(),
                ID,
                TEXT,
                TEXT,
                TEXT,
                NUMBER,
                TEXT,
                TEXT,
                TEXT,
                TEXT,
                TEXT,
                TEXT,
                "text[]:ARRAY['{}']",
                TEXT,
                "bytea[]:'{x}'",
                "timestamptz[]:ARRAY[now()]",
                "timestamptz[]:'{NULL}'",
                NUMBER);
    }

    private static void reads() {
        String snapshots = "text[]:array_fill('800:900:850'::text, ARRAY[16])";
        String floors = "text[]:array_fill('850'::text, ARRAY[16])";
        read("read_lanes", LANES, ONES, snapshots, floors, INTS, INTS, LANE, NUMBER, "int[]:'{9}'", XID);
        read(
                "read_pinned",
                "smallint:3",
                "bigint:900",
                "text:'800:900:850'",
                "text:'950:950:'",
                "bigint:0",
                "text:'850'",
                "int:100",
                XID);
        read(
                "read_windows",
                LANE,
                "smallint[]:'{0}'",
                TEXT,
                CURSOR,
                CURSOR,
                NUMBER,
                "int[]:'{9}'",
                XID,
                "smallint[]:'{0}'",
                XID);
        read("event_sizes", ID);
        read("fetch_events", ID);
        read("archive_read", ID);
        read("read_due_detours", ROUTE, LANES, ROUTE, "int:9", "int:9");
        read("load_lanes", LANES, ONES, ROUTE, RELAY);
        read("load_blocked", ROUTE, LANES, "text[]:NULL", "text[]:NULL");
    }

    private static void flushes() {
        read(
                "flush_checkpoints",
                LANE,
                NUMBER,
                NUMBER,
                NUMBER,
                "smallint[]:'{1}'",
                "smallint[]:'{NULL}'",
                "bigint[]:'{NULL}'",
                ROUTE,
                RELAY,
                "text:'1/1'",
                RELAY,
                "text[]:ARRAY['800:900:850']",
                ROUTE);
        read(
                "flush_blocked",
                ROUTE,
                LANE,
                TEXT,
                CURSOR,
                CURSOR,
                NUMBER,
                NUMBER,
                "int[]:'{1}'",
                NUMBER,
                TEXT,
                "boolean[]:'{false}'");
        read("flush_unblocked", LANE, TEXT, ROUTE);
        read("flush_detours", ROUTE, LANE, NUMBER, "text[]:'{FAILED}'", ID, TEXT, "int[]:'{1}'", NUMBER, TEXT);
        read("flush_finished", ROUTE, NUMBER);
        read("flush_attempts", ROUTE, RELAY, NUMBER, ID, "int[]:'{1}'", TEXT, TEXT);
    }

    /** An operator's looks. What is off the way is read whole, never the log or the checkpoints. */
    private static void inspections() {
        put("inspect_blocked", Settings.PLAIN_PLANS, Set.of("blocked_key"), "int:9");
        read("inspect_dead", "text:NULL", "text:NULL", "uuid:NULL", "uuid:NULL", "int:9");
        dead();
        String event = "uuid:'0199d3a0-0000-7000-8000-00000000beef'";
        read("event_show", event);
        read("event_routes", event);
        put("event_story", Settings.PLAIN_PLANS, Set.of("replay"), event);
        put("replay_list", Settings.DEFAULT, Set.of("replay"), "uuid:NULL", "uuid:NULL", "int:9");
        read(
                "events_newest",
                "bigint:100",
                "bigint:900",
                "text:'orders'",
                "text:'placed'",
                "text:'acme'",
                "text:'c7'",
                "int:9");
        read("log_ends");
        read("event_envelope", event);
        read("event_payload", "int:9", event);
        read("event_payload_part", "int:1", "int:9", event);
        read("recent_lag", "int:9");
        read("doctor_unroutable", "int:9");
        read("doctor_sizes", "int:9", "text:'main'", "bigint:9");
        read("events_of_key", "text:'k7'", "bigint:900", "int:9");
        put("inspect_key", Settings.PLAIN_PLANS, Set.of("blocked_key"), "int:9", "text:'k7'");
        read("audit", "bigint:900", "text:'ann'", "text:'ann'", "text:'redrive'", "text:'redrive'", "int:9");
        read("inspect_off_way");
        read("inspect_relays");
        read("inspect_lag", "int:9", "double precision:300");
        figures();
    }

    /** What metrics show. */
    private static void figures() {
        String most = "int:100";
        read("figures_lanes", most, most, most, most, most, most, most, most);
        read("figures_dead", most, most);
        put("figures_consumers", Settings.PLAIN_PLANS, Set.of("consumer_member"), "double precision:30");
        put("inspect_unhandled", Settings.PLAIN_PLANS, Set.of("unhandled_event"), "int:9");
        put("inspect_handovers", Settings.PLAIN_PLANS, Set.of("handover"));
        read("figures_replays");
        read("figures_server");
    }

    /** A filter that wants something, so that no condition folds away. */
    private static void dead() {
        String facts = "text:'{\"type\": \"placed\"}'";
        String id = "uuid:NULL";
        String since = "timestamptz:'-infinity'";
        String until = "timestamptz:'infinity'";
        String first = "uuid:'00000000-0000-0000-0000-000000000000'";
        String no = "text:''";
        String most = "int:9";
        List<String> branch = List.of(since, first, since, until, since, first, no, id, most);
        List<String> both = new ArrayList<>(List.of(facts));
        both.addAll(branch);
        both.addAll(branch);
        both.add(most);
        read("dead_list", both.toArray(String[]::new));
        read("dead_count", facts, id, since, until);
        read("dead_groups", facts, id, since, until, most);
        for (String page : List.of("dead_events_page", "dead_letters_page")) {
            read(page, "bigint:7", "bigint:900", "bigint:7", no, facts, id, since, until, most);
        }
        read("show_letter", "int:9", first, first, "int:9");
        read("show_event", "int:9", first, "int:9");
        read("letter_body_part", "int:1", "int:9", first);
        read("inspect_unrouted", "int:9", "int:9");
        put("inspect_consumers", Settings.PLAIN_PLANS, Set.of("consumer", "consumer_member"));
    }

    /** Its looks into the catalog, which is small. */
    private static void doctor() {
        Set<String> catalog =
                Set.of("pg_authid", "pg_database", "pg_class", "pg_namespace", "pg_proc", "pg_trigger", "pg_index");
        put("doctor_transactions", Settings.DEFAULT, catalog, "double precision:60", "double precision:60");
        put("doctor_xmin", Settings.DEFAULT, catalog, "bigint:60", "bigint:60");
        put("doctor_prepared", Settings.DEFAULT, catalog, "double precision:60");
        put("doctor_slots", Settings.DEFAULT, catalog);
        put("migration_indexes", Settings.DEFAULT, catalog, "text:'posthorn'");
        put("migration_other_logs", Settings.DEFAULT, catalog, "text:'posthorn'");
        put("doctor_dead_copies", Settings.DEFAULT, catalog, "text:'posthorn'");
        put("doctor_vacuum", Settings.DEFAULT, catalog, "text:'posthorn.outbox'");
        put("doctor_relay_roles", Settings.DEFAULT, catalog, "text:NULL", "text:'posthorn'");
        put(
                "doctor_grants",
                Settings.DEFAULT,
                catalog,
                "text:'posthorn'",
                "text:'postgres'",
                "text[]:'{TABLE}'",
                "text[]:'{SELECT}'",
                "text[]:'{lease}'");
        small("doctor_clock");
    }

    private static void noPlan(String... names) {
        for (String name : names) {
            put(name, Settings.NO_PLAN, Set.of());
        }
    }

    private static void small(String name, String... arguments) {
        put(name, Settings.DEFAULT, Set.of(), arguments);
    }

    private static void read(String name, String... arguments) {
        put(name, Settings.PLAIN_PLANS, Set.of(), arguments);
    }

    private static void put(String name, Settings settings, Set<String> wholeTables, String... arguments) {
        ALL.put(name, new PlannedStatement(settings, wholeTables, List.of(arguments)));
    }

    boolean mayReadWhole(String table) {
        return SMALL.contains(table) || wholeTables.contains(table);
    }

    /** PREPARE of the statement, with the types as the driver would send them. */
    String prepare(String name, String sql) {
        StringBuilder numbered = new StringBuilder();
        int n = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            numbered.append(c == '?' ? "$" + ++n : String.valueOf(c));
        }
        String types = String.join(
                ", ",
                arguments.stream()
                        .map(one -> one.substring(0, one.indexOf(':')))
                        .toList());
        return "PREPARE " + name + (types.isEmpty() ? "" : " (" + types + ")") + " AS " + numbered;
    }

    String execute(String name) {
        String values = String.join(
                ", ",
                arguments.stream()
                        .map(one -> one.substring(one.indexOf(':') + 1))
                        .toList());
        return "EXECUTE " + name + (values.isEmpty() ? "" : " (" + values + ")");
    }
}
