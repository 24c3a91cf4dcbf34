package dev.posthorn.encryption;

import com.google.crypto.tink.Aead;
import java.security.GeneralSecurityException;
import java.util.Set;

/**
 * The keys of a process: new payloads are encrypted with the primary one, old ones decrypted with whichever is theirs.
 *
 * <p>Thread-safe. A ring does not change: to give a process other keys, restart it.
 */
public final class KeyRing {

    private final Aead aead;
    private final String primary;
    private final Set<String> ids;
    private final boolean isRemote;

    private KeyRing(Aead aead, String primary, Set<String> ids, boolean isRemote) {
        this.aead = aead;
        this.primary = primary;
        this.ids = Set.copyOf(ids);
        this.isRemote = isRemote;
    }

    /** The keys of this set. */
    public static KeyRing of(Keyset keyset) {
        try {
            Aead aead = keyset.handle().getPrimitive(Keyset.CONFIGURATION, Aead.class);
            return new KeyRing(aead, keyset.primary(), keyset.ids(), false);
        } catch (GeneralSecurityException unusable) {
            throw new EncryptionException(
                    "These keys can not encrypt payloads. Make a set of AES-GCM keys with Keyset.generate().",
                    unusable);
        }
    }

    /**
     * A key that a key service has, such as Tink's {@code KmsEnvelopeAead} around a {@code KmsClient}'s.
     *
     * <p>Each emit and each handling may call the service, within the caller's transaction: a {@link Keyset} that the service
     * has wrapped costs one call at the start instead.
     *
     * @param id what the key is called in the header {@value Encryption#KEY_HEADER}; stable as long as payloads need it
     */
    public static KeyRing remote(String id, Aead service) {
        return new KeyRing(service, id, Set.of(id), true);
    }

    /** The id of the key that encrypts. */
    public String primary() {
        return primary;
    }

    /** The ids of the keys that decrypt. */
    public Set<String> ids() {
        return ids;
    }

    boolean has(String id) {
        return ids.contains(id);
    }

    /** Whether a failure may lie with a service that did not answer. */
    boolean isRemote() {
        return isRemote;
    }

    byte[] encrypt(byte[] plaintext, byte[] binding) throws GeneralSecurityException {
        return aead.encrypt(plaintext, binding);
    }

    byte[] decrypt(byte[] ciphertext, byte[] binding) throws GeneralSecurityException {
        return aead.decrypt(ciphertext, binding);
    }

    /** Names the keys; never shows one. */
    @Override
    public String toString() {
        return "KeyRing" + ids + " primary=" + primary;
    }
}
