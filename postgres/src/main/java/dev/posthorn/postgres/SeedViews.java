package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Views that stand in for the tables of a system that had an outbox of its own, so that its services move to the log
 * without a change.
 *
 * <p>They lie in any schema but the log's: in {@link #PUBLIC} an application finds them without a change of its search path. INSERT
 * writes into the log or the inbox, SELECT shows what became of each event, UPDATE and SELECT … FOR UPDATE are refused, and
 * DELETE does nothing and says so. Thread-safe.
 */
public final class SeedViews {

    /** The schema in which applications look that say nothing else. */
    public static final Schema PUBLIC = new Schema("public");

    /** Views have the names of the tables; functions are in the schema of the log, with the system's name in front. */
    private static final Pattern HELPER = Pattern.compile("\\{views}\\.(\\w+)");

    private static final List<String> EARLIER = List.of(
            "emit_event()",
            "way_of(uuid)",
            "sent_at(uuid)",
            "row_of(jsonb, uuid)",
            "time_of(text)",
            "text_of(bytea)",
            "json_of(bytea)",
            "uuid_of(text)",
            "is_read()",
            "refuse_insert()",
            "refuse_update()",
            "skip_delete()");

    private static final List<String> WORKFLOW_TABLES = List.of("workflow_runs", "workflow_step_logs");

    private final String system;
    private final List<String> scripts;
    private final List<String> tables;
    private final Schema log;
    private final Schema views;

    private SeedViews(String system, List<String> scripts, List<String> tables, Schema log, Schema views) {
        if (log.equals(views)) {
            throw new IllegalArgumentException("The views need another schema than the log, but \"" + views.name()
                    + "\" is the log's. Choose another.");
        }
        this.system = system;
        this.scripts = scripts;
        this.tables = tables;
        this.log = log;
        this.views = views;
    }

    /**
     * {@code event_outbox} with a status column, and {@code event_inbox}.
     *
     * <p>Its events are of the domain {@code holdco} and the type of their {@code event_type}, with the aggregate's id as
     * key, the group as tenant and the subsidiary as header {@code subsidiary-id}.
     *
     * @param log where the log is
     * @param views where the views are to be; made if it is missing
     */
    public static SeedViews holdco(Schema log, Schema views) {
        return new SeedViews("holdco", List.of("holdco"), List.of("event_outbox", "event_inbox"), log, views);
    }

    /**
     * {@code outbox} with a state column and an envelope in its payload, and {@code inbox}.
     *
     * <p>An event's name is {@code events.<domain>.<type>}, of the domains {@code transfers} and {@code directory}. Its id is
     * the envelope's event id, its key the transfer's id. The inbox is that of the consumer with the name of the views' schema, or
     * {@code transfers} in {@link #PUBLIC}.
     *
     * @param log where the log is
     * @param views where the views are to be; made if it is missing
     */
    public static SeedViews transfers(Schema log, Schema views) {
        return new SeedViews("transfers", List.of("transfers"), List.of("outbox", "inbox"), log, views);
    }

    /**
     * {@code workflow_runs} and {@code workflow_step_logs}, to be read only: Posthorn runs the commands.
     *
     * @param log where the log is
     * @param views where the views are to be; made if it is missing
     */
    public static SeedViews workflows(Schema log, Schema views) {
        return new SeedViews("workflows", List.of("workflows"), WORKFLOW_TABLES, log, views);
    }

    /**
     * {@code outbox} with a column {@code delivered_at}, {@code inbox}, and those of {@link #workflows}.
     *
     * <p>Its events are of the domain {@code openpaw} and the type of their {@code event_type}, with the payload's {@code
     * asset_id} as key. A handler of its inbox is a consumer with the handler {@code main}.
     *
     * @param log where the log is
     * @param views where the views are to be; made if it is missing
     */
    public static SeedViews openpaw(Schema log, Schema views) {
        List<String> tables = Stream.concat(Stream.of("outbox", "inbox"), WORKFLOW_TABLES.stream())
                .toList();
        return new SeedViews("openpaw", List.of("openpaw", "workflows"), tables, log, views);
    }

    /**
     * {@code outbox_events} with the columns {@code published_at}, {@code attempt_count} and {@code last_error}.
     *
     * <p>Its events are of the domain {@code licenses} and the type of their {@code event_type}, with the aggregate's id as key
     * and the bytes of {@code payload_json} as payload.
     *
     * @param log where the log is
     * @param views where the view is to be; made if it is missing
     */
    public static SeedViews licenses(Schema log, Schema views) {
        return new SeedViews("licenses", List.of("licenses"), List.of("outbox_events"), log, views);
    }

    /** Which tables they stand in for. */
    public List<String> tables() {
        return tables;
    }

    /** The statements that make them, for psql and the owner of the log; harmless to run again. */
    public String print() {
        return print(List.of());
    }

    /** The same, for services of these roles, which may create in the schema of the views already. */
    public String print(List<String> services) {
        String names = tables.stream().map(table -> "'" + table + "'").collect(Collectors.joining(", "));
        String roles = services.stream().map(SeedViews::text).collect(Collectors.joining(", "));
        return filled("seeds/shared.sql").replace("{tables}", names).replace("{services}", roles) + "\n" + all(".sql")
                + "\n" + dropEarlier();
    }

    /** The statements that let a service of this role use them. */
    public String printGrants(String role) {
        if (role.equals("public")) {
            throw new IllegalArgumentException("\"public\" is everybody, quoted or not. Name a role.");
        }
        return all("_grants.sql").replace("{role}", Identifiers.quote(role));
    }

    private String all(String ending) {
        return scripts.stream()
                .map(script -> filled("seeds/" + script + ending))
                .collect(Collectors.joining("\n"));
    }

    /**
     * Makes them, or replaces them by those of this version. Needs the owner of the log.
     *
     * @throws dev.posthorn.event.PosthornException if the schema has tables of the same names, belongs to another role, or lets
     *     others create in it; or if the log is missing
     */
    public void create(DataSource database) {
        create(database, List.of());
    }

    /** The same, for services of these roles, which may create in the schema of the views already. */
    public void create(DataSource database, List<String> services) {
        run(database, "make the views of " + system + " over the schema", print(services));
    }

    /** Lets a service of this role, which must exist, use them. It needs no other right, and may read no payload but theirs. */
    public void grant(DataSource database, String role) {
        run(database, "grant the views of " + system + " over the schema", printGrants(role));
    }

    private void run(DataSource database, String what, String script) {
        try (Connection connection = database.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setEscapeProcessing(false);
                statement.execute(Sql.load("migration_lock", log));
                statement.execute("SET LOCAL search_path = pg_catalog, pg_temp");
                statement.execute(script);
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw OperatorErrors.translate(what, log, e);
        }
    }

    /** Earlier versions had the functions in the schema of the views, with and without the system's name. */
    private String dropEarlier() {
        return Stream.of("", system + "_")
                .flatMap(prefix -> EARLIER.stream()
                        .map(function -> "DROP FUNCTION IF EXISTS " + views.quoted() + "."
                                + Identifiers.quote(prefix + function.substring(0, function.indexOf('(')))
                                + function.substring(function.indexOf('(')) + ";\n"))
                .collect(Collectors.joining());
    }

    private String filled(String path) {
        String script = HELPER.matcher(Sql.resource(path))
                .replaceAll(
                        found -> tables.contains(found.group(1)) ? "{views}.$1" : "{schema}.seed_" + system + "_$1");
        return log.in(script)
                .replace("{schema_text}", text(log.name()))
                .replace("{views_text}", text(views.name()))
                .replace("{consumer_text}", text(views.equals(PUBLIC) ? system : views.name()))
                .replace("{views}", views.quoted());
    }

    private static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }
}
