package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Json;
import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.SeedViews;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "seed-views",
        description = {
            "Makes views that stand in for the tables of a system that had an outbox of its own, so that its services"
                    + " write into the log without a change; or prints the statements, which needs no connection.",
            "Refuses to replace a table: rename the old one first. Harmless to run again.",
            ""
        },
        footer = {
            "  posthorn schema seed-views holdco --views shop --to shop_service"
                    + " --database-url postgres://owner@localhost/shop",
            "  posthorn schema seed-views holdco --print | psql shop"
        })
final class SeedViewsCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** Systems whose tables are known. */
    enum Tables {
        HOLDCO,
        TRANSFERS,
        OPENPAW,
        LICENSES,
        WORKFLOWS
    }

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            paramLabel = "SYSTEM",
            description =
                    "Whose tables: holdco (event_outbox with a status column, and event_inbox), transfers (outbox with a"
                            + " state column and an envelope, and inbox), openpaw (outbox with delivered_at, inbox, and"
                            + " those of workflows), licenses (outbox_events with published_at), or workflows"
                            + " (workflow_runs and workflow_step_logs, to be read only).")
    private Tables tables = Tables.HOLDCO;

    @Option(
            names = "--views",
            paramLabel = "NAME",
            defaultValue = "public",
            description =
                    "The schema of the views, not the log's; made if it is missing. Default: ${DEFAULT-VALUE}, where an application"
                            + " finds them that sets no search path.")
    private String views = "public";

    @Option(
            names = "--to",
            paramLabel = "ROLE",
            description = "Also lets this database role use the views; it needs no other right. May be repeated.")
    private List<String> roles = List.of();

    @Option(names = "--print", description = "Prints the statements for psql, instead of running them.")
    private boolean print;

    @Mixin
    private Database database = new Database();

    @Mixin
    private NotRemote unusedUrl = new NotRemote(SchemaCommand.AS_ITS_OWNER);

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        SeedViews wanted;
        String statements;
        try {
            wanted = switch (tables) {
                case HOLDCO -> SeedViews.holdco(database.schema(), viewsSchema());
                case TRANSFERS -> SeedViews.transfers(database.schema(), viewsSchema());
                case OPENPAW -> SeedViews.openpaw(database.schema(), viewsSchema());
                case LICENSES -> SeedViews.licenses(database.schema(), viewsSchema());
                case WORKFLOWS -> SeedViews.workflows(database.schema(), viewsSchema());
            };
            statements = wanted.print(roles)
                    + roles.stream()
                            .map(role -> "\n" + wanted.printGrants(role))
                            .collect(Collectors.joining());
        } catch (IllegalArgumentException invalid) {
            throw new ParameterException(command.commandLine(), String.valueOf(invalid.getMessage()));
        }
        if (!print) {
            try (HikariDataSource source = database.connect(ANSWER)) {
                wanted.create(source, roles);
                roles.forEach(role -> wanted.grant(source, role));
            }
        }
        tell(statements, String.join(" and ", wanted.tables()));
        return 0;
    }

    private Schema viewsSchema() {
        return new Schema(views);
    }

    private void tell(String statements, String names) {
        output.print(
                () -> {
                    var node = Json.object()
                            .put("schema", database.schema().name())
                            .put("views", viewsSchema().name())
                            .put("applied", !print)
                            .put("sql", statements);
                    roles.forEach(node.putArray("roles")::add);
                    return node;
                },
                () -> print
                        ? statements
                        : "The views " + names + " are in the schema \""
                                + viewsSchema().name() + "\"."
                                + (roles.isEmpty() ? "" : " They may be used by " + String.join(", ", roles) + "."));
    }
}
