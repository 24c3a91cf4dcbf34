package dev.posthorn.transports.snssqs;

import dev.posthorn.event.PosthornException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a topic's ARN; the name is without {@code .fifo}. */
record TopicAddress(String region, String account, String name) {

    private static final Pattern ARN =
            Pattern.compile("arn:[a-z-]+:sns:([a-z0-9-]+):([0-9]{12}):([A-Za-z0-9_-]+)\\.fifo");

    static TopicAddress parse(String arn) {
        Matcher parts = ARN.matcher(arn);
        if (!parts.matches()) {
            throw new PosthornException("\"" + arn + "\" is no FIFO topic of SNS; one looks like"
                    + " arn:aws:sns:eu-central-1:123456789012:orders.fifo.");
        }
        return new TopicAddress(parts.group(1), parts.group(2), parts.group(3));
    }
}
