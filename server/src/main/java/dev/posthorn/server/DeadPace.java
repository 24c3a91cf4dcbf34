package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.DeadWork;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How fast, or only as a trial. */
final class DeadPace {

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

    /** The same in a body. */
    void put(ObjectNode body) {
        body.put("dry_run", dryRun);
        if (rate != UNLIMITED) {
            body.put("rate", rate);
        }
    }

    DeadWork.Pace pace() {
        return new DeadWork.Pace(rate, dryRun);
    }
}
