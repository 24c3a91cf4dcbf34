package dev.posthorn.commands;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that shall be done, once. It travels as an event, whose id is the command's.
 *
 * <p>A command is the same as another if their ids or their idempotency keys are the same, for one handler and tenant; then
 * their types and payloads must be the same too. Immutable and thread-safe.
 */
public final class Command {

    /** The header of the event that carries the idempotency key. */
    public static final String IDEMPOTENCY_KEY = "idempotency-key";

    /** The header of the event that carries the sequence at which the command expects its aggregate. */
    public static final String EXPECTED_SEQUENCE = "expected-sequence";

    /** How long an idempotency key may be. */
    public static final int LONGEST_KEY = 255;

    private final Event event;
    private final String key;
    private final OptionalLong expected;

    private Command(Event event, String key) {
        if (key.isBlank() || key.length() > LONGEST_KEY) {
            throw new IllegalArgumentException("The idempotency key of command " + event.id() + " has " + key.length()
                    + " characters. Give it 1 to " + LONGEST_KEY + ".");
        }
        this.event = event;
        this.key = key;
        this.expected = expectedOf(event);
    }

    private static OptionalLong expectedOf(Event event) {
        @Nullable String text = event.headers().get(EXPECTED_SEQUENCE);
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException invalid) {
            throw new IllegalArgumentException("The header " + EXPECTED_SEQUENCE + " of command " + event.id()
                    + " is \"" + text + "\". Give it a whole number, or leave it out.");
        }
    }

    /**
     * The command that travels as this event. Its idempotency key is the header {@value #IDEMPOTENCY_KEY}, or its id if there
     * is none. Throws {@link IllegalArgumentException} if the key is blank or too long, or the expected
     * sequence is not a number.
     */
    public static Command of(Event event) {
        @Nullable String key = event.headers().get(IDEMPOTENCY_KEY);
        return new Command(event, key == null ? event.id().toString() : key);
    }

    /** The command with this idempotency key. Whoever sends it again may give it another id, but not another key. */
    public static Command of(Event event, String idempotencyKey) {
        return new Command(event.withHeader(IDEMPOTENCY_KEY, idempotencyKey), idempotencyKey);
    }

    /** The same command, to be run only while its aggregate is at this sequence. */
    public Command expecting(long sequence) {
        return new Command(event.withHeader(EXPECTED_SEQUENCE, Long.toString(sequence)), key);
    }

    /** The sequence at which the command expects its aggregate; empty if any will do. */
    public OptionalLong expectedSequence() {
        return expected;
    }

    /**
     * Compares the expected sequence with the one that the aggregate is at. A handler calls this in the step that changes the
     * aggregate, after it has locked it. Throws {@link SequenceMismatchException} if they differ; a command that expects
     * nothing passes.
     */
    public void requireSequence(long actual) {
        if (expected.isPresent() && expected.getAsLong() != actual) {
            throw new SequenceMismatchException(new Cause.StaleCommand(expected.getAsLong(), actual));
        }
    }

    /** The same as an event, to be emitted or published. */
    public Event event() {
        return event;
    }

    public UUID id() {
        return event.id();
    }

    public String type() {
        return event.type();
    }

    public String idempotencyKey() {
        return key;
    }

    public Optional<String> tenant() {
        return event.tenant();
    }

    public Optional<String> correlationId() {
        return event.correlationId();
    }

    /** The payload as text. */
    public String text() {
        return new String(event.payloadBytes(), StandardCharsets.UTF_8);
    }

    /** SHA-256 of the payload. */
    public byte[] bodyHash() {
        return sha256().digest(event.payloadBytes());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Identifies it in logs and errors; never shows its payload. */
    @Override
    public String toString() {
        return "Command[" + event.id() + " " + event.domain() + "/" + event.type() + "]";
    }
}
