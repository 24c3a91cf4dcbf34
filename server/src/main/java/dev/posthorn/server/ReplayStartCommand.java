package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.console.ReplayFormat;
import dev.posthorn.postgres.PostgresReplayDesk;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Replay.State;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Source;
import dev.posthorn.replay.Target;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "start",
        description = {
            "Starts a replay: publishes again what is selected and committed now, in order per key, with a header"
                    + " \"replay\" that holds the id of the replay. All that is given must hold; what may be repeated"
                    + " selects any of its values.",
            "",
            "Event ids stay the same, so a consumer with an inbox handles only what it has not handled yet.",
            ""
        },
        footer = {
            "  posthorn replay start --route orders --type order.placed --from 2026-03-01T00:00:00Z --dry-run",
            "  posthorn replay start --consumer billing --key order-17 --reason 'it was down'"
        })
final class ReplayStartCommand implements Callable<Integer> {

    private static final Duration LOOK = Duration.ofMillis(500);

    /** Either. */
    static final class Into {

        @Option(
                names = "--route",
                required = true,
                paramLabel = "NAME",
                description = "Into this route: through the transport of its relays, and nothing that the route filters"
                        + " out.")
        private @Nullable String route;

        @Option(
                names = "--consumer",
                required = true,
                paramLabel = "NAME",
                description = "Straight to this consumer, past every transport.")
        private @Nullable String consumer;

        void put(ObjectNode body) {
            if (route != null) {
                body.put("route", route);
            } else {
                body.put("consumer", consumer);
            }
        }

        Target target() {
            return route != null ? Target.route(route) : Target.consumer(String.valueOf(consumer));
        }
    }

    /** Which events. */
    static final class Which {

        @Option(names = "--domain", paramLabel = "DOMAIN", description = "Events of this domain; may be repeated.")
        private Set<String> domains = Set.of();

        @Option(names = "--type", paramLabel = "TYPE", description = "Events of this type; may be repeated.")
        private Set<String> types = Set.of();

        @Option(
                names = "--aggregate-type",
                paramLabel = "TYPE",
                description = "Events about an aggregate of this type; may be repeated.")
        private Set<String> aggregateTypes = Set.of();

        @Option(names = "--key", paramLabel = "KEY", description = "Events of this key; may be repeated.")
        private Set<String> keys = Set.of();

        @Option(names = "--tenant", paramLabel = "TENANT", description = "Events of this tenant; may be repeated.")
        private Set<String> tenants = Set.of();

        @Option(
                names = "--from",
                paramLabel = "TIME",
                description = "Events emitted at this time or later, as in 2026-03-01T10:00:00Z.")
        private @Nullable Instant from;

        @Option(names = "--to", paramLabel = "TIME", description = "Events emitted before this time.")
        private @Nullable Instant to;

        ObjectNode json() {
            ObjectNode json = Json.object();
            json.set("domains", Json.strings(domains));
            json.set("types", Json.strings(types));
            json.set("aggregate_types", Json.strings(aggregateTypes));
            json.set("keys", Json.strings(keys));
            json.set("tenants", Json.strings(tenants));
            return json.put("from", Json.time(Optional.ofNullable(from))).put("to", Json.time(Optional.ofNullable(to)));
        }

        Selection selection() {
            return new Selection(
                    domains, types, aggregateTypes, keys, tenants, Optional.ofNullable(from), Optional.ofNullable(to));
        }
    }

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private Asked asked = new Asked();

    @ArgGroup(multiplicity = "1")
    private Into into = new Into();

    @Mixin
    private Which which = new Which();

    @Option(
            names = "--rate",
            paramLabel = "EVENTS",
            description = "At most so many events a second. Default: as many as the destination takes.")
    private @Nullable Integer rate;

    @Option(
            names = "--from-archive",
            paramLabel = "FOLDER",
            description = "Takes events from the archive in this folder, not from the log. The process that publishes"
                    + " must find it under the same path.")
    private @Nullable Path archive;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
    private @Nullable String reason;

    @Option(names = "--dry-run", description = "Only tells how many events it would be.")
    private boolean dryRun;

    @Option(
            names = "--wait",
            description =
                    "Waits for the end and tells of the progress on standard error. Exits with 1 if it is not DONE"
                            + " then. Ending this command does not end the replay.")
    private boolean wait;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        Replay.Request request = request();
        Answers answers = asked.answers(ReplayCommand.ANSWER);
        ObjectNode first = answers.change(Ask.of("replays"), body(), (source, schema) -> {
            PostgresReplayDesk desk = new PostgresReplayDesk(source, schema);
            return dryRun ? ReplayFormat.dryRun(desk.look(request)) : ReplayFormat.one(desk.start(request));
        });
        if (dryRun) {
            output.print(first, ReplayText::dryRun);
            return 0;
        }
        ObjectNode last = wait ? awaitEnd(answers, first) : first;
        output.print(last, ReplayText::one);
        return wait && !State.DONE.name().equals(last.path("state").asText()) ? 1 : 0;
    }

    /** The same for an API. */
    private ObjectNode body() {
        if (asked.isRemote() && archive != null) {
            throw new ParameterException(
                    command.commandLine(), "--from-archive names a folder here, so it does not go with --url.");
        }
        ObjectNode body = Json.object().put("reason", reason).put("dry_run", dryRun);
        into.put(body);
        if (rate != null) {
            body.put("rate", rate);
        }
        body.set("selection", which.json());
        return body;
    }

    private Replay.Request request() {
        try {
            Selection selection = which.selection();
            Source source = archive == null ? Source.log() : Source.archive(archive, selection);
            return new Replay.Request(
                    selection,
                    into.target(),
                    source,
                    rate == null ? OptionalInt.empty() : OptionalInt.of(rate),
                    Optional.ofNullable(reason));
        } catch (IllegalArgumentException invalid) {
            throw new ParameterException(command.commandLine(), String.valueOf(invalid.getMessage()));
        }
    }

    private ObjectNode awaitEnd(Answers answers, ObjectNode started) throws InterruptedException {
        PrintWriter err = command.commandLine().getErr();
        UUID id = UUID.fromString(started.path("id").asText());
        String told = "";
        ObjectNode now = started;
        while (State.RUNNING.name().equals(now.path("state").asText())) {
            String progress = ReplayText.progress(now);
            if (!progress.equals(told)) {
                err.println(progress);
                err.flush();
                told = progress;
            }
            Thread.sleep(LOOK.toMillis());
            now = answers.read(
                    Ask.of("replays", id.toString()),
                    (source, schema) -> ReplayFormat.one(new PostgresReplayDesk(source, schema).find(id)));
        }
        return now;
    }
}
