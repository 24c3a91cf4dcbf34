package dev.posthorn.server;

import dev.posthorn.event.PosthornException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.TypeConversionException;

/**
 * What may stand as the value of a setting.
 *
 * @param allowed in words, for whoever wrote something else
 * @param list whether there may be several, as a list in the file or with commas between
 * @param check throws what is wrong with one of them
 */
record Form(String allowed, boolean list, Consumer<String> check) {

    static final String TIMES = "a time such as 500ms, 10s, 2m, 1h or 30d";

    /** What is wrong with it, if anything. A message of the check never repeats a secret. */
    Optional<String> faultOf(String text) {
        try {
            check.accept(text);
            return Optional.empty();
        } catch (TypeConversionException | PosthornException | IllegalArgumentException wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()).replaceFirst("\\.$", ""));
        }
    }

    static Form text(String allowed) {
        return new Form(allowed, false, text -> require(!text.isBlank(), "it is empty"));
    }

    static Form as(String allowed, Consumer<String> check) {
        return new Form(allowed, false, check);
    }

    static Form flag() {
        return oneOf("true", "false");
    }

    static Form oneOf(String... words) {
        List<String> all = List.of(words);
        String last = all.get(all.size() - 1);
        String allowed = all.size() == 1 ? last : String.join(", ", all.subList(0, all.size() - 1)) + " or " + last;
        return new Form(allowed, false, text -> require(all.contains(text), "it is none of these"));
    }

    static Form number(int least, int most) {
        return new Form("a whole number from " + least + " to " + most, false, text -> {
            try {
                int number = Integer.parseInt(text);
                require(number >= least && number <= most, "it is out of range");
            } catch (NumberFormatException none) {
                throw new IllegalArgumentException("it is no whole number", none);
            }
        });
    }

    static Form time(Duration least) {
        return new Form(TIMES + ", at least " + DurationConverter.text(least), false, text -> {
            Duration time = time(text);
            require(time.compareTo(least) >= 0, "it is too short");
        });
    }

    /** Several of this form. */
    Form several() {
        return new Form("a list of " + allowed, true, check);
    }

    static Duration time(String text) {
        try {
            return new DurationConverter().convert(text);
        } catch (TypeConversionException none) {
            throw new IllegalArgumentException("it is no time", none);
        }
    }

    /** Those of a list, from one text with commas between. */
    static List<String> split(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(one -> !one.isEmpty())
                .toList();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
