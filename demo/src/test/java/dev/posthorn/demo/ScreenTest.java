package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.RelayStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScreenTest {

    @Test
    void aFrameOfLargeNumbersFitsEightyByTwentyFour() {
        List<String> lines = new FrameText(true).lines(large());

        assertThat(lines)
                .hasSizeLessThanOrEqualTo(22)
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        assertThat(lines.get(0)).contains("embedded Postgres 18.6").contains("seed 999999");
    }

    @Test
    void withoutUnicodeTheScreenIsPlainAscii() {
        List<String> lines = new FrameText(false).lines(large());

        assertThat(String.join("\n", lines)).matches("[\\x20-\\x7e\\n]+");
    }

    @Test
    void theTerminalIsLeftAsItWas() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.err;
        LiveScreen screen = new LiveScreen(new PrintStream(bytes, true, StandardCharsets.UTF_8), true);

        screen.note("starting Postgres ...");
        screen.show(large());
        screen.close();
        screen.close();

        String written = bytes.toString(StandardCharsets.UTF_8);
        assertThat(written).startsWith("\033[?1049h\033[?25l").containsOnlyOnce("\033[?25h\033[?1049l");
        assertThat(written.substring(written.indexOf("\033[?1049l"))).contains("made hard on purpose");
        assertThat(System.err).isSameAs(before);
    }

    private static Frame large() {
        List<Integer> lanes = IntStream.range(0, 256).boxed().toList();
        return new Frame(
                new Frame.Setting(
                        "embedded Postgres 18.6, port 65535",
                        "http://127.0.0.1:65535/",
                        "1,000,000,000 events",
                        100,
                        1_000_000,
                        999_999),
                "draining",
                Duration.ofHours(9),
                OptionalDouble.of(0.5),
                new Frame.Flow(
                        999_999_999,
                        999_999,
                        999_999_999,
                        999_999,
                        99_999_999,
                        new LagMeter.Lag(99_999, 999_999),
                        Collections.nCopies(60, 1_000.0)),
                new Frame.Trouble(99_999_999, 99_999_999, 99_999_999, 9_999, 9_999),
                new RelayStatus(
                        lanes,
                        new RelayStatus.Totals(999_999_999, 99_999_999, 99_999_999, 0, 0, 0),
                        9_999,
                        10_000,
                        9_999,
                        Optional.of("the demo's outage"),
                        RelayStatus.Obstacle.DESTINATION));
    }
}
