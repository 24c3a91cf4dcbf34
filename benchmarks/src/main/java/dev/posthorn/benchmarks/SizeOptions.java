package dev.posthorn.benchmarks;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how large a benchmark is; what is left out is the benchmark's own. */
final class SizeOptions {

    private static final String LIST = ",";

    @Option(names = "--runs", description = "Measured rounds after the warm-up (3; registry 40).")
    private @Nullable Integer runs;

    @Option(names = "--events", description = "Events in the log (200000; hot-key 20000).")
    private @Nullable Integer events;

    @Option(names = "--payload", description = "Bytes of each payload (500).")
    private @Nullable Integer payload;

    @Option(names = "--keys", description = "Keys the events are spread over (1000).")
    private @Nullable Integer keys;

    @Option(
            names = "--seconds",
            description = "Length of one measurement, where that is a time: emit (3), latency and growth (10).")
    private @Nullable Double seconds;

    @Option(names = "--batch", split = LIST, description = "drain: rows per statement of the plain read (500,5000).")
    private @Nullable List<Integer> batches;

    @Option(
            names = "--retained",
            split = LIST,
            description = "Published events that the log still holds: growth (100000,1000000,10000000),"
                    + " held-xmin (2000000).")
    private @Nullable List<Integer> retained;

    @Option(names = "--clients", split = LIST, description = "emit: how many emit at once (1,4,16).")
    private @Nullable List<Integer> clients;

    @Option(names = "--rate", split = LIST, description = "Events a second: latency (50,1000), growth (50).")
    private @Nullable List<Integer> rates;

    @Option(names = "--relays", split = LIST, description = "relays: how many processes share the route (1,2,4).")
    private @Nullable List<Integer> relays;

    @Option(
            names = "--kind",
            description = "transport: which one, memory, ipc, rabbitmq, kafka, redis-streams, sns-sqs, google-pubsub or"
                    + " postgres-log (memory).")
    private @Nullable String kind;

    @Option(names = "--inbox", description = "consume: where marks are kept, postgres or redis (postgres).")
    private @Nullable String inbox;

    /** These sizes, with what was asked for in their place. */
    BenchOptions over(BenchOptions standard) {
        Variants variants = standard.variants();
        return new BenchOptions(
                or(runs, standard.runs()),
                or(events, standard.events()),
                or(payload, standard.payload()),
                or(keys, standard.keys()),
                seconds == null ? standard.each() : Duration.ofNanos((long) (seconds * 1e9)),
                new Variants(
                        or(batches, variants.batches()),
                        or(retained, variants.retained()),
                        or(clients, variants.clients()),
                        or(rates, variants.rates()),
                        or(relays, variants.relays()),
                        or(kind, variants.kind()),
                        or(inbox, variants.inbox())));
    }

    private static <T> T or(@Nullable T asked, T standard) {
        return asked == null ? standard : asked;
    }
}
