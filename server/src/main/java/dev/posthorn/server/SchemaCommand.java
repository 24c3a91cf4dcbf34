package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Json;
import dev.posthorn.console.SchemaFormat;
import dev.posthorn.postgres.Migrations;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "schema",
        description = "Prints, applies or checks the tables, functions and rights that the log needs.",
        subcommands = {
            SchemaCommand.Print.class,
            SchemaCommand.Migrate.class,
            SchemaCommand.Validate.class,
            GrantsCommand.class,
            SeedViewsCommand.class
        },
        footer = {"  posthorn schema migrate --database-url postgres://owner@localhost/shop"})
final class SchemaCommand {

    static final String AS_ITS_OWNER = "It takes the owner of the schema: use --database-url with that role.";

    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** A migration may build an index over a large log. */
    private static final Duration LONGEST_STATEMENT = Duration.ofHours(1);

    /** How many lanes to create, or to expect. */
    static final class Lanes {

        @Option(
                names = "--lanes",
                paramLabel = "COUNT",
                description = "How many lanes, 1 to 256, fixed at creation: as many relays can share a route."
                        + " Default: what the schema has, 16 for a new one.")
        private @Nullable Integer lanes;

        boolean areAsked() {
            return lanes != null;
        }

        Migrations of(Database database) {
            return lanes == null ? new Migrations(database.schema()) : new Migrations(database.schema(), lanes);
        }
    }

    @Command(
            name = "print",
            description = "Prints the whole schema as a script for psql, for an empty database; needs no connection.",
            footer = {"  posthorn schema print | psql shop"})
    static final class Print implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private NotRemote unusedUrl =
                new NotRemote("It prints what this version needs, and asks nobody: leave --url out.");

        @Mixin
        private Lanes lanes = new Lanes();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            String script = lanes.of(database).print();
            output.print(
                    () -> Json.object().put("schema", database.schema().name()).put("sql", script), () -> script);
            return 0;
        }
    }

    @Command(
            name = "migrate",
            description = "Brings the schema to what this version needs; safe to run at any time.",
            footer = {"  posthorn schema migrate --database-url postgres://owner@localhost/shop"})
    static final class Migrate implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private NotRemote unusedUrl = new NotRemote(AS_ITS_OWNER);

        @Mixin
        private Lanes lanes = new Lanes();

        @Mixin
        private Output output = new Output();

        @Option(names = "--another-log", description = "Creates a log although another schema of the database has one.")
        private boolean anotherLog;

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(LONGEST_STATEMENT)) {
                Migrations migrations = lanes.of(database);
                (anotherLog ? migrations.besideOtherLogs() : migrations).migrate(source);
            }
            String schema = database.schema().name();
            output.print(
                    () -> Json.object().put("schema", schema).put("valid", true),
                    () -> "The schema \"" + schema + "\" is up to date.");
            return 0;
        }
    }

    @Command(
            name = "validate",
            description =
                    "Checks that the schema is what this version needs, and changes nothing; exits with 1 if not.",
            footer = {"  posthorn schema validate --json"})
    static final class Validate implements Callable<Integer> {

        @Spec
        private CommandSpec command = CommandSpec.create();

        @Mixin
        private Asked asked = new Asked();

        @Mixin
        private Lanes lanes = new Lanes();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            if (asked.isRemote() && lanes.areAsked()) {
                throw new ParameterException(
                        command.commandLine(), "--lanes is compared from here; leave it out with --url.");
            }
            ObjectNode found = asked.answers(asked.isRemote() ? ANSWER : LONGEST_STATEMENT)
                    .read(
                            Ask.of("schema"),
                            (source, schema) -> SchemaFormat.validate(source, schema, lanes.of(asked.database())));
            output.print(found, Validate::text);
            return found.path("valid").asBoolean() ? 0 : 1;
        }

        private static String text(JsonNode found) {
            String schema = "The schema \"" + found.path("schema").asText() + "\"";
            return found.path("valid").asBoolean()
                    ? schema + " fits."
                            + Fields.texts(found, "notes").stream()
                                    .map(note -> "\nNote: " + note + ".")
                                    .collect(Collectors.joining())
                    : schema + " does not fit:\n  " + String.join("\n  ", Fields.texts(found, "faults"));
        }
    }
}
