package dev.posthorn.transports.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What goes with a committed offset: which records from there on are not done, so that the others do not come again.
 *
 * <p>Kafka knows one number for each partition and group, below which all is done. Here that number is the first record that is
 * not; what is done above it stands in the commit's free text, as in {@code posthorn 1 0 2 5 20}: the version, the distances of
 * open records from the committed offset, and last that of the first record never taken.
 *
 * @param open offsets that are not done, ascending
 * @param next the first offset that was never taken
 */
record OffsetNote(List<Long> open, long next) {

    private static final String VERSION = "posthorn 1";
    /** Brokers take 4,096 bytes unless told otherwise. */
    private static final int LONGEST = 4_000;

    /** The text for this state; what does not fit is left out, which means that it comes again. */
    static String write(Collection<Long> open, long next) {
        if (open.isEmpty()) {
            return "";
        }
        long from = open.iterator().next();
        StringBuilder text = new StringBuilder(VERSION);
        for (long offset : open) {
            String distance = " " + (offset - from);
            if (text.length() + distance.length() > LONGEST) {
                return text.append(distance).toString();
            }
            text.append(distance);
        }
        return text.append(' ').append(next - from).toString();
    }

    /** Reads what was committed; any other text says nothing, so that all from the offset on is to be done. */
    static OffsetNote read(long offset, String text) {
        OffsetNote nothing = new OffsetNote(List.of(), offset);
        if (!text.startsWith(VERSION + " ")) {
            return nothing;
        }
        List<Long> numbers = new ArrayList<>();
        try {
            for (String number : text.substring(VERSION.length() + 1).split(" ", -1)) {
                numbers.add(offset + Long.parseLong(number));
            }
        } catch (NumberFormatException foreign) {
            return nothing;
        }
        int last = numbers.size() - 1;
        for (int i = 0; i <= last; i++) {
            if (numbers.get(i) < (i == 0 ? offset : numbers.get(i - 1) + 1)) {
                return nothing;
            }
        }
        return new OffsetNote(List.copyOf(numbers.subList(0, last)), numbers.get(last));
    }
}
