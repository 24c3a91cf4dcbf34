package dev.posthorn.encryption;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.DeadLetterException;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.WireTest;
import dev.posthorn.outbox.EmitStep;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.ScreenedPublisher;
import java.security.GeneralSecurityException;

/**
 * Encrypts payloads before they are emitted and decrypts them before they are handled.
 *
 * <p>The log, its WAL, backups, brokers, archives and dead letters have ciphertext; keys are with producers and consumers
 * only, and the relay needs none.
 *
 * <p>A payload is bound to its event: the id, type, tenant and content type are authenticated with it, so a ciphertext that
 * was changed, or moved to another event, is found out.
 *
 * <p>Not encrypted: headers, keys, aggregate ids, tenants, types and times. They route, order and find events.
 *
 * <p>Thread-safe.
 */
public final class Encryption {

    /** The content type of every encrypted payload. */
    public static final String CONTENT_TYPE = "application/vnd.posthorn.encrypted";

    /** The content type of a payload that a claim check keeps elsewhere. */
    private static final String REFERENCE = "application/vnd.posthorn.claim+json";

    /** The header with the id of the key. */
    public static final String KEY_HEADER = "encryption-key";

    /** The header with the content type of what was encrypted. */
    public static final String TYPE_HEADER = "encrypted-content-type";

    private final KeyRing keys;

    public Encryption(KeyRing keys) {
        this.keys = keys;
    }

    /** An outbox that emits every payload encrypted. Whatever looks at payloads belongs before it. */
    public Outbox before(Outbox outbox) {
        return EmitStep.onEach(this::encrypt).before(outbox);
    }

    /**
     * A handler that gets every payload decrypted, and one that is not encrypted as it is.
     *
     * <p>A payload that was tampered with becomes a dead letter at once. One whose key is missing here is tried again by
     * policy: a key that has not arrived yet may.
     */
    public <T> EventHandler<T> around(EventHandler<T> handler) {
        return (event, transaction) -> {
            Event plain;
            try {
                plain = decrypt(event);
            } catch (TamperedPayloadException tampered) {
                throw new DeadLetterException(new Cause.Rejected(Outcome.reasonOf(tampered)));
            }
            return handler.handle(plain, transaction);
        };
    }

    /** A publisher that refuses whatever is not encrypted, whoever wrote it into the log. Needs no key. */
    public static Publisher required(Publisher publisher) {
        return new ScreenedPublisher(publisher, Encryption::passed);
    }

    private static Event passed(Event event) {
        if (isEncrypted(event) || isReference(event) || event.headers().containsKey(WireTest.HEADER)) {
            return event;
        }
        throw new PosthornException("the payload is not encrypted (content type " + event.contentType()
                + "), and encryption is required. Let its producer emit through an Encryption; what it wrote so far is"
                + " in the log in the clear");
    }

    /** A reference to ciphertext that is kept elsewhere still says with which key. */
    private static boolean isReference(Event event) {
        return event.contentType().equals(REFERENCE) && event.headers().containsKey(KEY_HEADER);
    }

    /** Whether the payload is ciphertext, by its content type. */
    public static boolean isEncrypted(Event event) {
        return event.contentType().equals(CONTENT_TYPE);
    }

    /** The event with its payload encrypted under the primary key; one that is encrypted already stays. */
    public Event encrypt(Event event) {
        if (isEncrypted(event)) {
            return event;
        }
        try {
            byte[] ciphertext = keys.encrypt(event.payloadBytes(), Binding.of(event, event.contentType()));
            return event.withPayload(ciphertext, CONTENT_TYPE)
                    .withHeader(KEY_HEADER, keys.primary())
                    .withHeader(TYPE_HEADER, event.contentType());
        } catch (GeneralSecurityException failed) {
            throw new EncryptionException(
                    "The payload of " + event + " could not be encrypted with key " + keys.primary()
                            + ". Nothing was emitted. Look at the key, or whether the key service answers.",
                    failed);
        }
    }

    /**
     * The event as it was before it was encrypted; one that is not encrypted stays.
     *
     * @throws UnknownKeyException if its key is not on the ring
     * @throws TamperedPayloadException if payload, id, type, tenant or content type are not those it was encrypted with
     */
    public Event decrypt(Event event) {
        if (!isEncrypted(event)) {
            return event;
        }
        String key = event.headers().getOrDefault(KEY_HEADER, "");
        String contentType = event.headers().get(TYPE_HEADER);
        if (contentType == null) {
            throw new TamperedPayloadException(event, new GeneralSecurityException("no header " + TYPE_HEADER));
        }
        if (!keys.has(key)) {
            throw new UnknownKeyException(event, key, keys.ids());
        }
        try {
            byte[] plaintext = keys.decrypt(event.payloadBytes(), Binding.of(event, contentType));
            return event.withPayload(plaintext, contentType)
                    .withoutHeader(KEY_HEADER)
                    .withoutHeader(TYPE_HEADER);
        } catch (GeneralSecurityException failed) {
            if (keys.isRemote()) {
                throw new EncryptionException(
                        "The payload of " + event + " could not be decrypted with key " + key
                                + ". See whether the key service answers; if it does, the payload was tampered with.",
                        failed);
            }
            throw new TamperedPayloadException(event, failed);
        }
    }
}
