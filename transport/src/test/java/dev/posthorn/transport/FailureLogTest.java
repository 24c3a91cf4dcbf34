package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class FailureLogTest {

    private final List<String> lines = new ArrayList<>();
    private long now;
    private final FailureLog log = new FailureLog(new Lines(), "Publishing", "route=orders relay=a", () -> now);

    @Test
    void anHourOfFailuresIsAFewLinesThatAccountForAllOfThem() {
        for (int second = 0; second < 3_600; second++) {
            log.failed("Connection refused");
            pass(Duration.ofSeconds(1));
        }
        log.recovered();

        assertThat(lines)
                .startsWith(
                        "WARN Publishing failed: Connection refused route=orders relay=a",
                        "WARN Publishing failed: Connection refused route=orders relay=a failures=11 suppressed=9"
                                + " for=10s",
                        "WARN Publishing failed: Connection refused route=orders relay=a failures=31 suppressed=19"
                                + " for=30s")
                .endsWith("INFO Publishing works again route=orders relay=a failures=3600 lasted=3600s")
                .hasSizeLessThan(14);
    }

    @Test
    void aReasonThatIsNewIsLoggedAtOnceWhateverItsNumbers() {
        for (int i = 0; i < 100; i++) {
            log.failed("Connection to 10.0.0." + i + " refused");
            log.failed("The database system is starting up");
            pass(Duration.ofMillis(10));
        }

        assertThat(lines)
                .containsExactly(
                        "WARN Publishing failed: Connection to 10.0.0.0 refused route=orders relay=a",
                        "WARN Publishing failed: The database system is starting up route=orders relay=a failures=2"
                                + " suppressed=0 for=0ms");
    }

    @Test
    void oneReasonForManyThingsIsLoggedOnceWithTheFirstOfThem() {
        for (String thing : List.of("bdba-1", "cafe", "other")) {
            log.failedOn(thing, new IOException("disk full"));
        }

        assertThat(lines.stream().filter(line -> line.startsWith("WARN")))
                .containsExactly("WARN Publishing failed: bdba-1: IOException: disk full route=orders relay=a");
    }

    @Test
    void reasonsThatAreNeverTheSameAreBounded() {
        for (int i = 0; i < 1_000; i++) {
            log.failed("Reason " + "x".repeat(i));
        }

        assertThat(lines).hasSize(5);
    }

    @Test
    void failuresAndRecoveriesInTurnsAreLoggedAtGrowingIntervals() {
        for (int second = 0; second < 3_600; second++) {
            log.failed("Connection refused");
            log.recovered();
            pass(Duration.ofSeconds(1));
        }

        assertThat(lines).hasSizeBetween(10, 30);
        assertThat(lines.get(2)).contains("suppressed=9");
    }

    @Test
    void theNextOutageBeginsWithItsFirstFailure() {
        log.failed("Connection refused");
        log.recovered();
        pass(Duration.ofMinutes(2));

        log.failed("Connection refused");

        assertThat(lines).hasSize(3);
        assertThat(lines.get(2)).isEqualTo("WARN Publishing failed: Connection refused route=orders relay=a");
    }

    @Test
    void anActivityThatNeverFailedLogsNothing() {
        log.recovered();

        assertThat(lines).isEmpty();
    }

    @Test
    void partsThatFailForOneCauseAreOneOutageUntilTheLastOfThemRecovers() {
        log.failed("read", new PosthornException("Cannot read.", new IOException("Connection refused")));
        log.failed("flush", new PosthornException("Cannot flush.", new IOException("Connection refused")));
        log.recovered("answer");
        log.recovered("read");
        assertThat(lines).filteredOn(line -> !line.startsWith("DEBUG")).hasSize(1);

        log.recovered("flush");

        assertThat(lines)
                .filteredOn(line -> !line.startsWith("DEBUG"))
                .containsExactly(
                        "WARN Publishing failed: Cannot read. route=orders relay=a",
                        "INFO Publishing works again route=orders relay=a failures=2 lasted=0ms");
    }

    @Test
    void anOutageThatIsLookedAtIsOneFailureAndSaysHowLongItLasts() {
        for (int look = 0; look < 240; look++) {
            log.lasting("outage", "Connection refused");
            pass(Duration.ofMillis(250));
        }
        log.recovered("outage");

        assertThat(lines)
                .containsExactly(
                        "WARN Publishing failed: Connection refused route=orders relay=a",
                        "WARN Publishing failed: Connection refused route=orders relay=a for=10s",
                        "WARN Publishing failed: Connection refused route=orders relay=a for=30s",
                        "INFO Publishing works again route=orders relay=a failures=1 lasted=60s");
    }

    @Test
    void stackTracesAreLoggedAtDebugOnly() {
        log.failed(new PosthornException("The database is unavailable.", new IOException("broken")));
        log.failed(new IOException("reset"));

        assertThat(lines)
                .containsExactly(
                        "WARN Publishing failed: The database is unavailable. route=orders relay=a",
                        "DEBUG Publishing failed route=orders relay=a PosthornException",
                        "WARN Publishing failed: IOException: reset route=orders relay=a failures=2 suppressed=0"
                                + " for=0ms",
                        "DEBUG Publishing failed route=orders relay=a IOException");
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private final class Lines extends LegacyAbstractLogger {

        private static final long serialVersionUID = 1L;

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            String text = MessageFormatter.basicArrayFormat(pattern, arguments);
            String trace = thrown == null ? "" : " " + thrown.getClass().getSimpleName();
            lines.add(level + " " + text + trace);
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
