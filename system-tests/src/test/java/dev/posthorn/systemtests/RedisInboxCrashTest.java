package dev.posthorn.systemtests;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.event.Event;
import dev.posthorn.systemtests.CrashingRedisConsumer.Step;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Bus;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Consumers with an inbox in Redis, killed between any two steps: an effect may be repeated, and is never lost. */
@Tag("slow")
@Tag("exact")
class RedisInboxCrashTest {

    private static final int EACH_TIME = 5;

    @TempDir
    private Path folder;

    /** Killed with their effect there and no mark. */
    private final List<String> repeated = new ArrayList<>();

    private final List<String> published = new ArrayList<>();

    @Test
    @Timeout(value = 9, unit = TimeUnit.MINUTES)
    void anEffectIsRepeatedOnlyByAKillBetweenEffectAndMarkAndNeverLost() throws IOException {
        killAt(List.of(Step.RECEIVED, Step.CLAIMED, Step.EFFECT, Step.MARKED), false);
    }

    @Test
    @Timeout(value = 9, unit = TimeUnit.MINUTES)
    void theSameHoldsForEffectsThatAreAUnitOfWork() throws IOException {
        killAt(List.of(Step.RECEIVED, Step.CLAIMED, Step.FENCED, Step.EFFECT, Step.MARKED), true);
    }

    private void killAt(List<Step> steps, boolean units) throws IOException {
        Random random = Seed.random("redis inbox");
        int rounds = Size.of(1, 1, 10);
        try (EmbeddedRedis redis = Brokers.orSkip(EmbeddedRedis::start);
                Bus bus = ConsumedBus.open("redis " + address(redis));
                PatientPublisher publisher = new PatientPublisher(bus.publisher())) {
            for (int round = 0; round < rounds; round++) {
                for (Step step : steps) {
                    try (JavaProcess consumer = launch(redis, step, random.nextInt(3), units)) {
                        publish(publisher);
                        String victim = awaitHeld(consumer);
                        consumer.kill();
                        if (step == Step.EFFECT) {
                            repeated.add(victim);
                        }
                    }
                }
            }
            try (JavaProcess consumer = launch(redis, Step.NEVER, 0, units);
                    RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
                    StatefulRedisConnection<String, String> connection = client.connect()) {
                Await.untilNoneRemain(
                        "all are marked",
                        () -> published.stream()
                                .filter(event ->
                                        !"done".equals(connection.sync().get("crash:evt:processed:ledger:" + event)))
                                .collect(toSet()));
                consumer.kill();
            }
        }

        Map<String, Long> times = effects().stream().collect(groupingBy(Function.identity(), counting()));
        Map<String, Long> expected = new HashMap<>();
        published.forEach(event -> expected.put(event, 1L));
        repeated.forEach(event -> expected.merge(event, 1L, Long::sum));
        assertThat(times).isEqualTo(expected);
        System.out.printf(
                "kill -9 of %d consumers with a Redis inbox, at %s: %d events, %d repeated, each killed between effect and"
                        + " mark%n",
                rounds * steps.size(), steps, published.size(), repeated.size());
    }

    private static String address(EmbeddedRedis redis) {
        return redis.host() + ":" + redis.port();
    }

    private JavaProcess launch(EmbeddedRedis redis, Step step, int before, boolean units) {
        return JavaProcess.start(
                folder.resolve("errors.log"),
                CrashingRedisConsumer.class.getName(),
                List.of(
                        address(redis),
                        folder.resolve("effects").toString(),
                        step.name(),
                        Integer.toString(before),
                        Boolean.toString(units)));
    }

    private static String awaitHeld(JavaProcess consumer) {
        String line = consumer.readLine();
        while (!line.startsWith("held ")) {
            line = consumer.readLine();
        }
        return line.substring(line.lastIndexOf(' ') + 1);
    }

    private void publish(PatientPublisher publisher) {
        List<Event> events = IntStream.range(0, EACH_TIME)
                .mapToObj(i -> Event.of(CrashingRedisConsumer.DOMAIN, "order.placed")
                        .key("key-" + i)
                        .json("{}")
                        .build())
                .toList();
        publisher.publish(events);
        Await.until("all are accepted", () -> publisher.left() == 0);
        events.forEach(event -> published.add(event.id().toString()));
    }

    private List<String> effects() throws IOException {
        return Files.readAllLines(folder.resolve("effects"));
    }
}
