package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.EventsFormat;
import dev.posthorn.console.Json;
import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresEvents.Filter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that look through the log. */
final class EventsListCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final int MOST = 10_000;
    private static final String EVENTS = "events";
    private static final String BEFORE = "before";

    private EventsListCommand() {}

    /** Which events. */
    static final class FilterOptions {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command = CommandSpec.create();

        @Option(names = "--domain", paramLabel = "NAME", description = "Only events of this domain.")
        private @Nullable String domain;

        @Option(names = "--type", paramLabel = "NAME", description = "Only events of this type.")
        private @Nullable String type;

        @Option(names = "--tenant", paramLabel = "NAME", description = "Only events of this tenant.")
        private @Nullable String tenant;

        Filter filter() {
            return new Filter(domain, type, tenant, null);
        }

        Ask ask(long before) {
            return Ask.of(EVENTS)
                    .with("domain", domain)
                    .with("type", type)
                    .with("tenant", tenant)
                    .with(BEFORE, before == PostgresEvents.END ? null : before);
        }

        int checked(String option, int most) {
            if (most < 1 || most > MOST) {
                throw new ParameterException(
                        command.commandLine(), option + " is " + most + ", but must be 1 to " + MOST + ".");
            }
            return most;
        }
    }

    @Command(
            name = "list",
            description =
                    "Lists the newest events of the log, the last one first, with how each stands on its routes. Shows neither"
                            + " payload nor headers.",
            footer = {"  posthorn events list --type order.placed --limit 20"})
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Asked asked = new Asked();

        @Mixin
        private FilterOptions filter = new FilterOptions();

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "50",
                description = "How many at most. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Option(
                names = "--before",
                paramLabel = "SEQ",
                description = "Only events before this one, to go on where a list ended.")
        private long before = PostgresEvents.END;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            int most = filter.checked("--limit", limit);
            Output.Items items = output.items("events", "No event of the log is like that.");
            asked.answers(ANSWER)
                    .list(
                            filter.ask(before),
                            new Answers.Pages(EVENTS, BEFORE, most),
                            (source, schema, each) -> new PostgresEvents(source, schema)
                                    .newest(filter.filter(), before, most)
                                    .forEach(event -> each.accept(EventsFormat.json(event))),
                            event -> items.add(event, EventsText::line));
            items.end();
            return 0;
        }
    }

    @Command(
            name = "tail",
            description =
                    "Prints events as they are committed, until Ctrl-C. With --json each is an object on a line of"
                            + " its own.",
            footer = {"  posthorn events tail --domain orders"})
    static final class Tail implements Callable<Integer> {

        @Spec
        private CommandSpec command = CommandSpec.create();

        @Mixin
        private Asked asked = new Asked();

        @Mixin
        private FilterOptions filter = new FilterOptions();

        @Option(
                names = "--last",
                paramLabel = "N",
                defaultValue = "10",
                description = "Begins with this many that are there already. Default: ${DEFAULT-VALUE}.")
        private int last;

        @Option(names = "--for", paramLabel = "TIME", description = "Ends after this time, as in 30s.")
        private @Nullable Duration time;

        @Option(
                names = "--every",
                paramLabel = "TIME",
                defaultValue = "500ms",
                description = "How often to look. Default: ${DEFAULT-VALUE}.")
        private Duration every = Duration.ZERO;

        @Option(names = "--json", description = "Prints one JSON object for each event, on a line of its own.")
        private boolean json;

        @Override
        public Integer call() throws InterruptedException {
            int most = last == 0 ? 0 : filter.checked("--last", last);
            long end = time == null ? Long.MAX_VALUE : System.nanoTime() + time.toNanos();
            if (asked.isRemote()) {
                Answers there = asked.answers(ANSWER);
                return follow(new EventsTail(before -> page(there, before), most), end);
            }
            try (HikariDataSource source = asked.database().connect(ANSWER)) {
                PostgresEvents events =
                        new PostgresEvents(source, asked.database().schema());
                return follow(
                        new EventsTail(
                                before -> events.newest(filter.filter(), before, EventsTail.PAGE).stream()
                                        .map(EventsFormat::json)
                                        .toList(),
                                most),
                        end);
            }
        }

        private List<ObjectNode> page(Answers there, long before) throws InterruptedException {
            List<ObjectNode> found = new ArrayList<>();
            there.list(
                    filter.ask(before),
                    new Answers.Pages(EVENTS, BEFORE, EventsTail.PAGE),
                    (source, schema, each) -> {},
                    found::add);
            return found;
        }

        private int follow(EventsTail tail, long end) throws InterruptedException {
            do {
                print(tail.next());
                LockSupport.parkNanos(every.toNanos());
            } while (time == null || System.nanoTime() - end < 0);
            return 0;
        }

        private void print(List<ObjectNode> events) {
            for (ObjectNode event : events) {
                command.commandLine()
                        .getOut()
                        .println(json ? Json.line(event) : Output.shown(command, EventsText.line(event)));
            }
            command.commandLine().getOut().flush();
        }
    }
}
