package dev.posthorn.server;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How fast, or only as a trial. */
final class DeadPace {

    private static final int PAGE = 500;
    private static final int UNLIMITED = 0;

    /** Reads {@code 50/s}. */
    static final class RateConverter implements ITypeConverter<Integer> {

        private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,6})(/s)?");

        @Override
        public Integer convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "\"" + text + "\" is not a rate. Write how many in a second, as in 50/s.");
            }
            return Integer.valueOf(matcher.group(1));
        }
    }

    @Option(
            names = "--rate",
            paramLabel = "N/s",
            converter = RateConverter.class,
            description = "No more than so many in a second, as in 50/s. Default: as fast as it goes.")
    private int rate = UNLIMITED;

    @Option(names = "--dry-run", description = "Only tells what it would be. Nothing is changed.")
    private boolean dryRun;

    boolean isTrial() {
        return dryRun;
    }

    int page() {
        return rate == UNLIMITED ? PAGE : Math.min(rate, PAGE);
    }

    /** How long to wait after so many were done in this time. */
    Duration pause(long done, Duration since) {
        if (rate == UNLIMITED || dryRun) {
            return Duration.ZERO;
        }
        Duration due = Duration.ofMillis(done * 1000 / rate);
        return due.compareTo(since) > 0 ? due.minus(since) : Duration.ZERO;
    }
}
