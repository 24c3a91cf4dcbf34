package dev.posthorn.postgres;

import static dev.posthorn.postgres.RoleKind.CONSUMER;
import static dev.posthorn.postgres.RoleKind.OPERATOR;
import static dev.posthorn.postgres.RoleKind.PRODUCER;
import static dev.posthorn.postgres.RoleKind.RELAY;
import static dev.posthorn.postgres.RoleKind.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each kind of role may not do, tried by a login of that kind. */
@Tag("slow")
class RoleDenialsTest {

    private static final String EMIT_ONCE =
            "SELECT posthorn.emit_once('{}'::uuid[], '{}', '{}', '{}', '{}', '{}', '{}', '{}',"
                    + " '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')";
    private static final String REDRIVE = "SELECT posthorn.redrive('main', gen_random_uuid(), 'why')";
    private static final String START_REPLAY = "SELECT posthorn.start_replay('route', 'main')";
    private static final String CANCEL_REPLAY = "SELECT posthorn.cancel_replay(gen_random_uuid(), 'x')";
    private static final String DISCARD = "SELECT posthorn.discard('main', gen_random_uuid(), 'why')";
    private static final String REDRIVE_LETTERS = "SELECT posthorn.redrive_letters('{}', false, 'why')";
    private static final String DISCARD_LETTERS = "SELECT posthorn.discard_letters('{}', 'why')";
    private static final String CLAIM_RUN = "SELECT posthorn.claim_lapsed_run('{shipping}', 'me', interval '1 min')";
    private static final String END_RUN = "SELECT posthorn.end_run(gen_random_uuid(), 1, 'done', NULL)";
    private static final String PAUSE = "SELECT posthorn.pause_consumer('billing', true, 'why')";
    private static final String EMIT = "SELECT posthorn.emit('shop', 'placed', '{}')";
    private static final String INSERT = "INSERT INTO posthorn.outbox (domain, type) VALUES ('shop', 'placed')";

    private static final Map<RoleKind, TestRole> ROLES = new EnumMap<>(RoleKind.class);

    @BeforeAll
    static void oneLoginOfEachKind() throws SQLException {
        TestPostgres postgres = TestPostgres.migrated();
        postgres.run(INSERT);
        for (RoleKind kind : RoleKind.values()) {
            ROLES.put(kind, TestRole.create(postgres, Schema.DEFAULT, kind));
        }
    }

    private static TestRole login(RoleKind kind) {
        return Objects.requireNonNull(ROLES.get(kind));
    }

    static List<Arguments> producers() {
        return List.of(
                denied("supply tx", "INSERT INTO posthorn.outbox (domain, type, tx) VALUES ('shop', 'placed', '7')"),
                denied(
                        "supply seq",
                        "INSERT INTO posthorn.outbox (domain, type, seq) OVERRIDING SYSTEM VALUE"
                                + " VALUES ('shop', 'placed', 7)"),
                denied("name lane", "INSERT INTO posthorn.outbox (domain, type, lane) VALUES ('a', 'b', DEFAULT)"),
                denied(
                        "supply created_at",
                        "INSERT INTO posthorn.outbox (domain, type, created_at) VALUES ('a','b',now())"),
                denied("move the sequence", "SELECT setval('posthorn.outbox_seq_seq', 7)"),
                denied("read a payload", "SELECT payload FROM posthorn.outbox"),
                denied("read an id", "SELECT id FROM posthorn.outbox"),
                denied("count events", "SELECT count(*) FROM posthorn.outbox"),
                denied("read what it inserts", INSERT + " RETURNING id"),
                denied("name the target of a conflict", INSERT + " ON CONFLICT (id) DO NOTHING"),
                denied("write over an event", INSERT + " ON CONFLICT (id) DO UPDATE SET payload = ''"),
                denied("change an event", "UPDATE posthorn.outbox SET payload = ''"),
                denied("delete events", "DELETE FROM posthorn.outbox"),
                denied("truncate the log", "TRUNCATE posthorn.outbox"),
                denied("read states", "SELECT state FROM posthorn.outbox_status"),
                denied("read cursors", "SELECT * FROM posthorn.checkpoint"),
                denied("move a cursor", "INSERT INTO posthorn.checkpoint VALUES (1, 1, 1, NULL, 1, 1, 1, NULL)"),
                denied("take a lane", "UPDATE posthorn.lease SET owner = 'me'"),
                denied("find what is dead", "SELECT * FROM posthorn.dead"),
                denied("read letters", "SELECT id FROM posthorn.dead_letter"),
                denied("redrive letters", REDRIVE_LETTERS),
                denied("discard letters", DISCARD_LETTERS),
                denied("pause a consumer", PAUSE),
                denied("take a workflow run", CLAIM_RUN),
                denied("end a workflow run", END_RUN),
                denied("read commands", "SELECT id FROM posthorn.command"),
                denied("redrive", REDRIVE),
                denied("discard", DISCARD));
    }

    static List<Arguments> relays() {
        return List.of(
                denied("insert an event", INSERT),
                denied("emit", EMIT),
                denied("emit once", EMIT_ONCE),
                denied("change an event", "UPDATE posthorn.outbox SET payload = ''"),
                denied("lock an event", "SELECT id FROM posthorn.outbox FOR KEY SHARE"),
                denied("delete events", "DELETE FROM posthorn.outbox"),
                denied("move the sequence", "SELECT setval('posthorn.outbox_seq_seq', 7)"),
                denied("change a checkpoint", "UPDATE posthorn.checkpoint SET position = 0"),
                denied("delete checkpoints", "DELETE FROM posthorn.checkpoint"),
                denied("change a flush", "UPDATE posthorn.flush SET at = now()"),
                denied("delete flushes", "DELETE FROM posthorn.flush"),
                denied("read attempts", "SELECT * FROM posthorn.attempt"),
                denied("change an attempt", "UPDATE posthorn.attempt SET error = ''"),
                denied("delete attempts", "DELETE FROM posthorn.attempt"),
                denied("start a replay", START_REPLAY),
                denied("cancel a replay", CANCEL_REPLAY),
                denied("look at replays", "SELECT * FROM posthorn.replay"),
                denied("move a replay unfenced", "UPDATE posthorn.replay SET position = 0"),
                denied("rename a route", "UPDATE posthorn.route SET name = 'x'"),
                denied("delete routes", "DELETE FROM posthorn.route"),
                denied("delete leases", "DELETE FROM posthorn.lease"),
                denied("change the lane count", "UPDATE posthorn.log SET lanes = 1"),
                denied("redrive letters", REDRIVE_LETTERS),
                denied("discard letters", DISCARD_LETTERS),
                denied("pause a consumer", PAUSE),
                denied("take a workflow run", CLAIM_RUN),
                denied("end a workflow run", END_RUN),
                denied("read commands", "SELECT id FROM posthorn.command"),
                denied("redrive", REDRIVE),
                denied("discard", DISCARD),
                denied("read what operators did", "SELECT * FROM posthorn.operator_action"));
    }

    static List<Arguments> consumers() {
        return List.of(
                denied("read a payload", "SELECT payload FROM posthorn.outbox"),
                denied("read an id", "SELECT id FROM posthorn.outbox"),
                denied("read states", "SELECT state FROM posthorn.outbox_status"),
                denied("insert an event", INSERT),
                denied("emit", EMIT),
                denied("emit once", EMIT_ONCE),
                denied("delete events", "DELETE FROM posthorn.outbox"),
                denied("read cursors", "SELECT * FROM posthorn.checkpoint"),
                denied("read detours", "SELECT * FROM posthorn.detour"),
                denied("take a lane", "UPDATE posthorn.lease SET owner = 'me'"),
                denied("find what is dead", "SELECT * FROM posthorn.dead"),
                denied("read letters", "SELECT id FROM posthorn.dead_letter"),
                denied("redrive letters", REDRIVE_LETTERS),
                denied("discard letters", DISCARD_LETTERS),
                denied("pause a consumer", PAUSE),
                denied("start a replay", START_REPLAY),
                denied("cancel a replay", CANCEL_REPLAY),
                denied("look at replays", "SELECT * FROM posthorn.replay"),
                denied("read commands", "SELECT id FROM posthorn.command"),
                denied("take a run unfenced", "UPDATE posthorn.workflow_run SET attempt = 9"),
                denied("mark a step unfenced", "UPDATE posthorn.workflow_step SET state = 'DONE'"),
                denied("forget commands", "SELECT posthorn.prune_commands(interval '0', 9)"),
                denied("forget positions", "SELECT posthorn.prune_positions(interval '0', 9)"),
                denied("redrive", REDRIVE),
                denied("discard", DISCARD));
    }

    static List<Arguments> viewers() {
        return List.of(
                denied("read a payload", "SELECT payload FROM posthorn.outbox"),
                denied("measure a payload", "SELECT octet_length(payload) FROM posthorn.outbox"),
                denied("read headers", "SELECT headers FROM posthorn.outbox"),
                denied("read every column", "SELECT * FROM posthorn.outbox"),
                denied("read a whole row", "SELECT o FROM posthorn.outbox o"),
                denied("copy the log", "COPY posthorn.outbox TO STDOUT"),
                denied("search payloads", "SELECT id FROM posthorn.outbox WHERE payload = 'secret'"),
                denied("insert an event", INSERT),
                denied("emit", EMIT),
                denied("emit once", EMIT_ONCE),
                denied("change an event", "UPDATE posthorn.outbox SET key = 'x'"),
                denied("delete events", "DELETE FROM posthorn.outbox"),
                denied("take a lane", "UPDATE posthorn.lease SET owner = 'me'"),
                denied("move a cursor", "INSERT INTO posthorn.checkpoint VALUES (1, 1, 1, NULL, 1, 1, 1, NULL)"),
                denied("delete a detour", "DELETE FROM posthorn.detour"),
                denied("unblock a key", "DELETE FROM posthorn.blocked_key"),
                denied("read the body of a letter", "SELECT body FROM posthorn.dead_letter"),
                denied("read what details tell", "SELECT details FROM posthorn.dead_letter"),
                denied("redrive letters", REDRIVE_LETTERS),
                denied("discard letters", DISCARD_LETTERS),
                denied("pause a consumer", PAUSE),
                denied("start a replay", START_REPLAY),
                denied("cancel a replay", CANCEL_REPLAY),
                denied("claim a replay", "SELECT posthorn.claim_replay('route', 'main', 'me', interval '1 s')"),
                denied("read a page", "SELECT posthorn.replay_page(gen_random_uuid(), 1, 0, 1, 1)"),
                denied("read the body of a command", "SELECT body FROM posthorn.command"),
                denied("read the headers of a command", "SELECT headers FROM posthorn.command"),
                denied("read the result of a run", "SELECT result FROM posthorn.workflow_run"),
                denied("read the result of a step", "SELECT result FROM posthorn.workflow_step"),
                denied("take a workflow run", CLAIM_RUN),
                denied("end a workflow run", END_RUN),
                denied("redrive", REDRIVE),
                denied("discard", DISCARD));
    }

    static List<Arguments> operators() {
        return List.of(
                denied("insert an event", INSERT),
                denied("emit", EMIT),
                denied("emit once", EMIT_ONCE),
                denied("change an event", "UPDATE posthorn.outbox SET payload = ''"),
                denied("delete events", "DELETE FROM posthorn.outbox"),
                denied("change a detour unrecorded", "UPDATE posthorn.detour SET kind = 'REDRIVE', due = now()"),
                denied("delete a detour unrecorded", "DELETE FROM posthorn.detour"),
                denied("unblock a key unrecorded", "UPDATE posthorn.blocked_key SET held = false"),
                denied("change a letter unrecorded", "UPDATE posthorn.dead_letter SET state = 'HANDLED'"),
                denied("delete a letter unrecorded", "DELETE FROM posthorn.dead_letter"),
                denied("forget what was handled", "DELETE FROM posthorn.inbox"),
                denied("change what is recorded", "UPDATE posthorn.operator_action SET who = 'somebody else'"),
                denied("delete what is recorded", "DELETE FROM posthorn.operator_action"),
                denied(
                        "record what was not done",
                        "INSERT INTO posthorn.operator_action (who, action, target, rows) VALUES ('me', 'x', 'y', 1)"),
                denied("start a replay unrecorded", "INSERT INTO posthorn.replay (target) VALUES ('main')"),
                denied("cancel a replay unrecorded", "UPDATE posthorn.replay SET state = 'CANCELLED'"),
                denied("take a workflow run", CLAIM_RUN),
                denied("end a workflow run", END_RUN),
                denied("change a run unrecorded", "UPDATE posthorn.workflow_run SET state = 'DONE'"),
                denied("forget a command", "DELETE FROM posthorn.command"),
                denied("take a lane", "UPDATE posthorn.lease SET owner = 'me'"),
                denied("move a cursor", "INSERT INTO posthorn.checkpoint VALUES (1, 1, 1, NULL, 1, 1, 1, NULL)"));
    }

    /** What only the owner of the schema may. */
    static Stream<Arguments> everyRole() {
        List<Arguments> denials = List.of(
                denied(
                        "truncate",
                        "TRUNCATE posthorn.outbox, posthorn.checkpoint, posthorn.detour, posthorn.blocked_key"),
                denied("truncate the log", "TRUNCATE posthorn.outbox"),
                denied("truncate leases", "TRUNCATE posthorn.lease"),
                denied("truncate detours", "TRUNCATE posthorn.detour"),
                denied("create a table", "CREATE TABLE posthorn.mine (id int)"),
                denied("disable triggers", "ALTER TABLE posthorn.outbox DISABLE TRIGGER ALL"),
                denied("drop the log", "DROP TABLE posthorn.outbox"),
                denied("drop a function", "DROP FUNCTION posthorn.redrive"),
                denied("grant itself more", "SELECT posthorn.grant_role('operator', session_user)"),
                denied("revoke", "SELECT posthorn.revoke_role(session_user)"),
                denied("rewrite the grants", "UPDATE posthorn.role_kind SET grants = ''"),
                denied("delete migrations", "DELETE FROM posthorn.migration"));
        return Stream.of(RoleKind.values())
                .flatMap(kind -> denials.stream().map(denial -> arguments(kind, denial.get()[0], denial.get()[1])));
    }

    /** A denial: what, and how it is tried. */
    private static Arguments denied(String what, String sql) {
        return arguments(what, sql);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("producers")
    void aProducerMayNot(String what, String sql) {
        login(PRODUCER).assertMayNot(sql);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("relays")
    void aRelayMayNot(String what, String sql) {
        login(RELAY).assertMayNot(sql);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("consumers")
    void aConsumerMayNot(String what, String sql) {
        login(CONSUMER).assertMayNot(sql);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("viewers")
    void aViewerMayNot(String what, String sql) {
        login(VIEWER).assertMayNot(sql);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("operators")
    void anOperatorMayNot(String what, String sql) {
        login(OPERATOR).assertMayNot(sql);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("everyRole")
    void nobodyMay(RoleKind kind, String what, String sql) {
        login(kind).assertMayNot(sql);
    }

    @Test
    void theViewOfStatesHasNoPayload() throws SQLException {
        assertThat(login(VIEWER)
                        .rows("SELECT attname FROM pg_attribute WHERE attrelid = 'posthorn.outbox_status'::regclass"
                                + " AND attname IN ('payload', 'headers')"))
                .isEmpty();
    }
}
