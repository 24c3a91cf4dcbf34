package dev.posthorn.transports.snssqs;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sns.model.MessageAttributeValue;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;

/** One event on its way to SNS. Settled once, whoever is first. */
final class Parcel {

    /** What SNS takes, of one message and of all in one call. */
    static final int MOST_BYTES = 256 << 10;

    private static final Pattern LEGAL_ID =
            Pattern.compile("[A-Za-z0-9!\"#$%&'()*+,./:;<=>?@\\[\\\\\\]^_`{|}~-]{1,128}");

    /** Empty if it can not be sent anyway. */
    final String topic;

    final String group;
    /** As Amazon counts them; none if it can not be sent anyway. */
    final int bytes;
    /** The call of publish that it came with. */
    final Object run;

    /** Why it is settled without being sent when it is its turn, or null. */
    final @Nullable Outcome refusal;

    private final Publication publication;
    private final Wire wire;
    private final AtomicBoolean settled = new AtomicBoolean();
    private volatile long deadline;
    private volatile boolean sent;

    Parcel(Publication publication, Names names, Object run) {
        Event event = publication.event();
        this.publication = publication;
        this.group = groupOf(event);
        this.run = run;
        this.wire = Wire.of(event);
        int size = wire.bytes();
        String destination = "";
        Outcome wrong = null;
        try {
            EventMessage.requireReadable(event);
            destination = Layout.topicOf(names, event);
        } catch (PosthornException impossible) {
            wrong = Outcome.refused(String.valueOf(impossible.getMessage()));
        }
        if (wrong == null && size > MOST_BYTES) {
            wrong = Outcome.refused("its payload has " + event.payloadSize()
                    + " bytes, and with its headers the message has " + size + ", of which SNS takes " + MOST_BYTES);
        }
        this.refusal = wrong;
        this.topic = wrong == null ? destination : "";
        this.bytes = wrong == null ? size : 0;
    }

    /** The key; without one the event is alone. A key that Amazon does not take as an id stands there as its checksum. */
    static String groupOf(Event event) {
        return legal(event.key().orElseGet(() -> event.id().toString()));
    }

    /**
     * The event's id, so that Amazon drops it if it was sent twice within five minutes. What an operator wants again is
     * another one for Amazon: a replayed event is another for each replay, a redriven one each time.
     */
    static String deduplicationOf(Publication publication) {
        Event event = publication.event();
        String id = event.id().toString();
        if (publication.isRedriven()) {
            return id + "-" + UUID.randomUUID();
        }
        String replay = event.headers().get("replay");
        return replay == null ? id : legal(id + "-" + replay);
    }

    private static String legal(String id) {
        return LEGAL_ID.matcher(id).matches() ? id : "sha256-" + HexFormat.of().formatHex(sha256(id));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }

    PublishBatchRequestEntry entry(String id) {
        Map<String, MessageAttributeValue> attributes = new HashMap<>();
        wire.attributes()
                .forEach((name, value) -> attributes.put(
                        name,
                        MessageAttributeValue.builder()
                                .dataType("String")
                                .stringValue(value)
                                .build()));
        return PublishBatchRequestEntry.builder()
                .id(id)
                .message(wire.text())
                .messageAttributes(attributes)
                .messageGroupId(group)
                .messageDeduplicationId(deduplicationOf(publication))
                .build();
    }

    /** False if it was settled before. */
    boolean settle(Outcome outcome) {
        boolean first = settled.compareAndSet(false, true);
        if (first) {
            publication.settle(outcome);
        }
        return first;
    }

    boolean isSettled() {
        return settled.get();
    }

    /** Its time starts now: it is part of a call, and what the call needs before it is looked up. */
    void taken(long patienceNanos) {
        deadline = System.nanoTime() + patienceNanos;
    }

    /** Its time starts again: from now on nobody knows whether SNS has it, until SNS says so. */
    void sent(long patienceNanos) {
        taken(patienceNanos);
        sent = true;
    }

    boolean wasSent() {
        return sent;
    }

    /** Whether it was taken, and its time is over. */
    boolean isOverdue() {
        return deadline - System.nanoTime() <= 0;
    }
}
