package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.server.Main;
import dev.posthorn.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A relay process that is killed in the middle of a replay, which another one brings to its end. */
@Tag("slow")
@Tag("exact")
class ReplayCrashTest {

    private static final int EVENTS = 3_000;
    private static final int PAGE = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Pattern SEQUENCE = Pattern.compile("\"sequence\":(\\d+)");
    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]+)\"");

    private final Shop shop = new Shop("replay");

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void killedInTheMiddleNothingIsLostAndAtMostAPageComesTwice() {
        JavaProcess first = shop.startRelay("first");
        shop.run("INSERT INTO posthorn.outbox (domain, type, key, sequence)"
                + " SELECT 'shop', 'Placed', 'k' || n % 20, n FROM generate_series(1, " + EVENTS + ") AS n");
        shop.awaitDrained();
        assertThat(replayed()).isEmpty();
        JavaProcess started = shop.launch(
                "replay",
                Main.class.getName(),
                List.of("replay", "start", "--route=main", "--rate=600", "--database-url=" + shop.url(), "--json"));
        assertThat(started.awaitExit(PATIENCE)).as(started.log()).isZero();
        Await.within(PATIENCE, () -> "a part is done: " + first.log(), () -> done() > 0);

        first.kill();
        long before = done();
        shop.startRelay("second");
        Await.within(
                PATIENCE,
                () -> "the replay is done, but " + shop.rows("SELECT r::text FROM posthorn.replay r"),
                () -> shop.number("SELECT count(*) FROM posthorn.replay WHERE state = 'DONE'") == 1);

        assertThat(before).as("killed in the middle").isBetween(1L, EVENTS - 1L);
        assertThat(done()).isEqualTo(EVENTS);
        List<String> lines = replayed();
        System.out.println("killed after " + before + " of " + EVENTS + ": " + (lines.size() - EVENTS) + " came twice");
        assertThat(lines.size() - EVENTS).isBetween(0, PAGE);
        Map<String, List<Long>> byKey = new HashMap<>();
        lines.forEach(line -> byKey.computeIfAbsent(found(KEY, line), any -> new ArrayList<>())
                .add(Long.parseLong(found(SEQUENCE, line))));
        assertThat(byKey).hasSize(20);
        byKey.values().forEach(ReplayCrashTest::assertOneStepBackAtMost);
    }

    /** Complete, and in order but for where the second process began. */
    private static void assertOneStepBackAtMost(List<Long> sequences) {
        assertThat(new HashSet<>(sequences)).hasSize(EVENTS / 20);
        int back = 0;
        for (int i = 1; i < sequences.size(); i++) {
            back += sequences.get(i) > sequences.get(i - 1) ? 0 : 1;
        }
        assertThat(back).isLessThanOrEqualTo(1);
    }

    private long done() {
        return shop.number("SELECT done FROM posthorn.replay");
    }

    /** The lines that carry the mark. */
    private List<String> replayed() {
        try {
            return Files.readAllLines(shop.published()).stream()
                    .filter(line -> line.contains("\"replay\":\""))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String found(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        assertThat(matcher.find()).as(line).isTrue();
        return matcher.group(1);
    }
}
