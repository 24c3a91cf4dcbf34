package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Json;
import dev.posthorn.postgres.InvalidSchemaException;
import dev.posthorn.postgres.Migrations;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
        private Lanes lanes = new Lanes();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(LONGEST_STATEMENT)) {
                lanes.of(database).migrate(source);
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

        @Mixin
        private Database database = new Database();

        @Mixin
        private Lanes lanes = new Lanes();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            String schema = database.schema().name();
            try (HikariDataSource source = database.connect(LONGEST_STATEMENT)) {
                lanes.of(database).validate(source);
            } catch (InvalidSchemaException invalid) {
                output.print(
                        () -> {
                            var node = Json.object().put("schema", schema).put("valid", false);
                            invalid.faults().forEach(node.putArray("faults")::add);
                            return node;
                        },
                        () -> "The schema \"" + schema + "\" does not fit:\n  "
                                + String.join("\n  ", invalid.faults()));
                return 1;
            }
            output.print(
                    () -> Json.object().put("schema", schema).put("valid", true),
                    () -> "The schema \"" + schema + "\" fits.");
            return 0;
        }
    }
}
