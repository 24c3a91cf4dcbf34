package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Json;
import dev.posthorn.postgres.Grants;
import dev.posthorn.postgres.RoleKind;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "grants",
        description =
                "Prints what a kind of role may do as statements for psql, which needs no connection; or grants it.",
        footer = {
            "  posthorn schema grants producer --to shop_service | psql shop",
            "  posthorn schema grants producer --to shop_service --apply --database-url postgres://owner@localhost/shop"
        })
final class GrantsCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            paramLabel = "KIND",
            description =
                    "What the role is for: producer (emits), relay (publishes), consumer (handles), viewer (sees all"
                            + " but payloads) or operator (sees all, redrives and discards).")
    private RoleKind kind = RoleKind.VIEWER;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "ROLE",
            description = "The database role that gets the rights. It must exist; Posthorn creates none.")
    private String role = "";

    @Option(names = "--apply", description = "Grants them, instead of printing. Needs the owner of the schema.")
    private boolean apply;

    @Mixin
    private Database database = new Database();

    @Mixin
    private NotRemote unusedUrl = new NotRemote(SchemaCommand.AS_ITS_OWNER);

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        Grants grants = new Grants(database.schema());
        String statements = print(grants);
        if (apply) {
            try (HikariDataSource source = database.connect(ANSWER)) {
                grants.apply(source, kind, role);
            }
        }
        String schema = database.schema().name();
        output.print(
                () -> Json.object()
                        .put("schema", schema)
                        .put("kind", kind.toString())
                        .put("role", role)
                        .put("applied", apply)
                        .put("sql", statements),
                () -> apply
                        ? "The role \"" + role + "\" has the rights of the kind " + kind + " in the schema \"" + schema
                                + "\"."
                        : statements);
        return 0;
    }

    private String print(Grants grants) {
        try {
            return grants.print(kind, role);
        } catch (IllegalArgumentException invalid) {
            throw new ParameterException(command.commandLine(), "--to: " + invalid.getMessage());
        }
    }
}
