package dev.posthorn.transports.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;

/**
 * What goes with a committed offset: which records from there on are not done, so that the others do not come again.
 *
 * <p>Kafka knows one number for each partition and group, below which all is done. Here that number is the first record that is
 * not; what is done above it stands in the commit's free text, as in {@code posthorn 2 7 0 2 5 20}: the version, the leader epoch
 * of the last record that was taken, the distances of open records from the committed offset, and last that of the first record
 * never taken. The epoch tells the records that the note is about from those that another leader has written in their place after
 * an unclean election. Version 1 has no epoch; it is written where the broker does not tell epochs.
 *
 * @param open offsets that are not done, ascending
 * @param next the first offset that was never taken
 * @param epoch the leader epoch of the last record that was taken
 */
record OffsetNote(List<Long> open, long next, OptionalInt epoch) {

    private static final String VERSION = "posthorn 1";
    private static final String WITH_EPOCH = "posthorn 2 ";
    /** Brokers take 4,096 bytes unless told otherwise. */
    private static final int LONGEST = 4_000;

    /** The text for this state; what does not fit is left out, which means that it comes again. */
    static String write(Collection<Long> open, long next, OptionalInt epoch) {
        if (open.isEmpty()) {
            return "";
        }
        long from = open.iterator().next();
        StringBuilder text = new StringBuilder(epoch.isPresent() ? WITH_EPOCH + epoch.getAsInt() : VERSION);
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
        if (text.startsWith(VERSION + " ")) {
            return read(offset, text.substring(VERSION.length() + 1), OptionalInt.empty());
        }
        int end = text.startsWith(WITH_EPOCH) ? text.indexOf(' ', WITH_EPOCH.length()) : -1;
        if (end < 0) {
            return nothing(offset);
        }
        try {
            int epoch = Integer.parseUnsignedInt(text.substring(WITH_EPOCH.length(), end));
            return read(offset, text.substring(end + 1), OptionalInt.of(epoch));
        } catch (NumberFormatException foreign) {
            return nothing(offset);
        }
    }

    private static OffsetNote nothing(long offset) {
        return new OffsetNote(List.of(), offset, OptionalInt.empty());
    }

    private static OffsetNote read(long offset, String distances, OptionalInt epoch) {
        List<Long> numbers = new ArrayList<>();
        try {
            for (String number : distances.split(" ", -1)) {
                numbers.add(offset + Long.parseLong(number));
            }
        } catch (NumberFormatException foreign) {
            return nothing(offset);
        }
        int last = numbers.size() - 1;
        for (int i = 0; i <= last; i++) {
            if (numbers.get(i) < (i == 0 ? offset : numbers.get(i - 1) + 1)) {
                return nothing(offset);
            }
        }
        return new OffsetNote(List.copyOf(numbers.subList(0, last)), numbers.get(last), epoch);
    }
}
