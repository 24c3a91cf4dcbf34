package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.DeadFormat;
import dev.posthorn.console.Json;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.DeadDecision;
import dev.posthorn.postgres.DeadEntry;
import dev.posthorn.postgres.DeadFilter;
import dev.posthorn.postgres.PostgresDeadDesk;
import dev.posthorn.postgres.WholeDeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "dead",
        description = "Finds what failed for good, on routes and in consumers, sends it back, or gives it up.",
        subcommands = {
            DeadCommand.Listing.class,
            DeadCommand.Show.class,
            DeadCommand.Redrive.class,
            DeadCommand.Discard.class
        },
        footer = {"  posthorn dead list --grouped", "  posthorn dead redrive --consumer billing --dry-run"})
final class DeadCommand {

    static final Duration ANSWER = Duration.ofSeconds(60);

    /** What is read and printed at once. */
    private static final int PAGE = 500;

    @Command(
            name = "list",
            description =
                    "Lists what is dead, oldest first; with --grouped how often for which reason, and what to do.",
            footer = {"  posthorn dead list --consumer billing --since 2h --grouped"})
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Mixin
        private DeadFilterOptions options = new DeadFilterOptions();

        @Option(names = "--event", paramLabel = "ID", description = "This event or dead letter only.")
        private @Nullable UUID event;

        @Option(
                names = "--limit",
                paramLabel = "COUNT",
                defaultValue = "100",
                description = "At most so many letters or groups. Default: ${DEFAULT-VALUE}.")
        private int limit = 100;

        @Option(names = "--grouped", description = "Reasons of one kind as one line, the most frequent first.")
        private boolean grouped;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            DeadFilter filter =
                    event == null ? options.filter() : options.filter().id(event);
            Answers answers = asked.answers(ANSWER);
            if (grouped) {
                ObjectNode found = answers.read(
                        options.ask("dead", "groups").with("id", event).with("limit", limit),
                        (source, schema) ->
                                DeadFormat.groups(new PostgresDeadDesk(source, schema).groups(filter, limit)));
                output.print(found, DeadText::groups);
                return 0;
            }
            Instant now = Instant.now();
            Output.Items items = output.items("dead", "No event is dead.");
            answers.list(
                    options.ask("dead").with("id", event),
                    new Answers.Pages("dead", "after", limit),
                    (source, schema, each) -> list(new PostgresDeadDesk(source, schema), filter, each),
                    entry -> items.add(entry, one -> DeadText.entry(one, now)));
            items.end();
            return 0;
        }

        private void list(PostgresDeadDesk desk, DeadFilter filter, Consumer<ObjectNode> each) {
            DeadEntry last = null;
            int left = limit;
            List<DeadEntry> page;
            do {
                page = desk.list(filter, last, Math.min(left, PAGE));
                for (DeadEntry entry : page) {
                    each.accept(DeadFormat.entry(entry));
                    last = entry;
                }
                left -= page.size();
            } while (page.size() == PAGE && left > 0);
        }
    }

    @Command(
            name = "show",
            description =
                    "Shows a dead letter whole: headers, body, cause, where it came from, and what to do. Also one that"
                            + " was redriven or discarded, as long as it is kept.",
            footer = {"  posthorn dead show 01890a5d-ac96-774b-bcce-b302099a8057"})
    static final class Show implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Parameters(paramLabel = "ID", description = "The dead letter, or the event.")
        private @Nullable UUID id;

        @Mixin
        private Hiding hiding = new Hiding();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            UUID wanted = java.util.Objects.requireNonNull(id, "picocli requires it");
            ObjectNode found = asked.answers(ANSWER).read(Ask.of("dead", wanted.toString()), (source, schema) -> {
                List<WholeDeadLetter> letters = new PostgresDeadDesk(source, schema).show(wanted, DeadFormat.PREVIEW);
                if (letters.isEmpty()) {
                    throw new PosthornException("There is no dead letter and no dead event " + wanted
                            + "; it may have been published since, or pruned. See: posthorn dead list");
                }
                return DeadFormat.whole(letters, hiding.disclosure());
            });
            output.print(found, answer -> DeadText.whole(answer, Instant.now()));
            return 0;
        }
    }

    /** Which of all that is dead, and how to go about it. */
    static final class Selection {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command = CommandSpec.create();

        @Parameters(paramLabel = "ID", arity = "0..*", description = "These dead letters or events.")
        private List<UUID> ids = List.of();

        @Option(names = "--event", paramLabel = "ID", description = "The same; may be given several times.")
        private List<UUID> events = List.of();

        @Option(names = "--all", description = "All that the other options leave over; without any, all that is dead.")
        private boolean all;

        @Mixin
        private DeadFilterOptions options = new DeadFilterOptions();

        @Mixin
        private DeadPace pace = new DeadPace();

        @Mixin
        private Confirmation confirmation = new Confirmation();

        /** Whether it is about all that a filter finds. */
        private boolean isBulk() {
            return wanted().isEmpty() && !pace.pace().trial();
        }

        /** The reason; a decision about many needs one. */
        @Nullable
        String reason(@Nullable String given) {
            return isBulk() ? confirmation.reason(given) : given;
        }

        private List<UUID> wanted() {
            if (ids.isEmpty() && events.isEmpty() && !all && options.filter().equals(DeadFilter.all())) {
                throw new ParameterException(
                        command.commandLine(), "Which? Name ids, say what to look for, or take --all.");
            }
            return Stream.concat(ids.stream(), events.stream()).distinct().toList();
        }

        /** Carries the decision out; returns the exit code. */
        int decide(Asked asked, Output output, DeadDecision decision) throws InterruptedException {
            return asked.isRemote()
                    ? decideThere(asked, output, decision)
                    : decideHere(asked.database(), output, decision);
        }

        private int decideHere(Database database, Output output, DeadDecision decision) throws InterruptedException {
            try (HikariDataSource source = database.connect(ANSWER)) {
                PostgresDeadDesk desk = new PostgresDeadDesk(source, database.schema());
                if (isBulk()) {
                    confirmation.confirm(decision.verb().word(), desk.count(options.filter()));
                }
                return new DeadSession(desk, decision, pace, output).run(filters(desk));
            }
        }

        private int decideThere(Asked asked, Output output, DeadDecision decision) throws InterruptedException {
            ObjectNode body = Json.object().put("reason", decision.reason());
            ObjectNode filter = options.json();
            List<UUID> wanted = wanted();
            if (wanted.size() > 1 && !filter.isEmpty()) {
                throw new ParameterException(
                        command.commandLine(), "With --url, name several ids or say what to look for; not both.");
            }
            wanted.stream()
                    .findFirst()
                    .filter(id -> !filter.isEmpty())
                    .ifPresent(id -> filter.put("id", id.toString()));
            if (wanted.isEmpty() || !filter.isEmpty()) {
                body.set("filter", filter);
            } else {
                body.set("ids", Json.strings(wanted.stream().map(UUID::toString).toList()));
            }
            pace.put(body);
            HttpAnswers there = asked.http(ANSWER, output::progress);
            if (body.has("filter") && !pace.pace().trial()) {
                ObjectNode counted = Json.object();
                counted.set("filter", filter);
                long expected = there.post(Ask.of("dead", "count"), counted)
                        .path("count")
                        .asLong();
                if (isBulk()) {
                    confirmation.confirm(decision.verb().word(), expected);
                }
                body.put("expected", expected);
            }
            ObjectNode result = there.change(Ask.of("dead", decision.verb().word()), body, (source, schema) -> body);
            output.print(result, DeadText::result);
            return result.path("stopped").asBoolean() ? 1 : 0;
        }

        /** One filter for each id, or one for all. */
        private List<DeadFilter> filters(PostgresDeadDesk desk) {
            DeadFilter filter = options.filter();
            List<UUID> wanted = wanted();
            if (wanted.isEmpty()) {
                return List.of(filter);
            }
            for (UUID id : wanted) {
                if (desk.list(filter.id(id), null, 1).isEmpty()) {
                    throw new PosthornException(
                            id + " is not dead" + options.place() + "; nothing was changed. See: posthorn dead list");
                }
            }
            return wanted.stream().map(filter::id).toList();
        }
    }

    @Command(
            name = "redrive",
            description = {
                "Sends what is dead back to where it died, and records who did so and why.",
                "",
                "On a route: in place if its key waits for it, else by itself, out of order. In a consumer: to the handler"
                        + " that gave it up; the inbox still knows what was handled. The dead letters of a key go in their"
                        + " order. Order against later events that went meanwhile is not restored, and each answer says so.",
                ""
            },
            footer = {"  posthorn dead redrive --consumer billing --type order.placed --rate 50/s --dry-run"})
    static final class Redrive implements Callable<Integer> {

        @Spec
        private CommandSpec command = CommandSpec.create();

        @Mixin
        private Asked asked = new Asked();

        @Mixin
        private Selection selection = new Selection();

        @Option(
                names = "--reprocess",
                description =
                        "Has consumers handle it even if their inbox says that it was handled: effects may happen a"
                                + " second time. Needs --reason.")
        private boolean reprocess;

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "Why, for the record. Needed unless ids are named.")
        private @Nullable String reason;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            if (reprocess && (reason == null || reason.isBlank())) {
                throw new ParameterException(
                        command.commandLine(),
                        "--reprocess may make effects happen a second time: say why with --reason.");
            }
            @Nullable String why = selection.reason(reason);
            return selection.decide(
                    asked, output, reprocess ? DeadDecision.reprocess(String.valueOf(why)) : DeadDecision.redrive(why));
        }
    }

    @Command(
            name = "discard",
            description = "Gives up for ever what is dead; a key that waits for it goes on. Recorded with the reason.",
            footer = {"  posthorn dead discard 01890a5d-ac96-774b-bcce-b302099a8057 --reason 'sent by hand'"})
    static final class Discard implements Callable<Integer> {

        @Spec
        private CommandSpec command = CommandSpec.create();

        @Mixin
        private Asked asked = new Asked();

        @Mixin
        private Selection selection = new Selection();

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the record.")
        private String reason = "";

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            if (reason.isBlank()) {
                throw new ParameterException(command.commandLine(), "--reason is empty. Say why it is given up.");
            }
            return selection.decide(asked, output, DeadDecision.discard(reason));
        }
    }
}
