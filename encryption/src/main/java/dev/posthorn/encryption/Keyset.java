package dev.posthorn.encryption;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyStatus;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A set of AES-256-GCM keys, one of them primary, in Tink's JSON form: Tink's own tools read and write it too.
 *
 * <p>Rotation is three deployments: {@link #withNewKey} to every consumer, then {@link #promoting} it to the producers, and
 * {@link #without} the old one once nothing is left that it encrypted.
 *
 * <p>Immutable and thread-safe.
 */
public final class Keyset {

    /** The key types that are read and used, and no global registry. */
    static final Configuration CONFIGURATION = AeadConfig2026.get();

    /** Wrapped keysets are bound to their purpose. */
    private static final byte[] PURPOSE = "posthorn.keyset.1".getBytes(StandardCharsets.UTF_8);

    private final KeysetHandle handle;

    private Keyset(KeysetHandle handle) {
        this.handle = handle;
    }

    private interface Work {
        KeysetHandle done() throws GeneralSecurityException;
    }

    private static Keyset of(String failure, Work work) {
        try {
            return new Keyset(work.done());
        } catch (GeneralSecurityException failed) {
            throw new EncryptionException(failure, failed);
        }
    }

    /** A new set with one key. */
    public static Keyset generate() {
        return of(
                "No key could be made.",
                () -> KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, CONFIGURATION));
    }

    /** The keys of a JSON text, in the clear. */
    public static Keyset parse(String json) {
        return of(
                "This is no keyset in Tink's JSON form, or it is a wrapped one, which needs the key service to be read.",
                () -> TinkJsonProtoKeysetFormat.parseKeyset(json, CONFIGURATION, InsecureSecretKeyAccess.get()));
    }

    /** The keys of a JSON text that a key service has wrapped; calls the service once. */
    public static Keyset unwrap(String json, Aead service) {
        return of(
                "The keyset could not be unwrapped. See whether the key service answers, and whether it was wrapped with this"
                        + " key.",
                () -> TinkJsonProtoKeysetFormat.parseEncryptedKeyset(json, service, PURPOSE, CONFIGURATION));
    }

    /** The JSON text of a file. */
    public static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new EncryptionException(
                    "The keys in " + file + " could not be read. Check that the file is there and who may read it.",
                    unreadable);
        }
    }

    /** The JSON text of an environment variable. */
    public static String textOf(String variable, Map<String, String> environment) {
        String text = environment.get(variable);
        if (text == null || text.isBlank()) {
            throw new EncryptionException(
                    "There are no keys: the environment variable " + variable + " is not set. Put a keyset into it.",
                    null);
        }
        return text;
    }

    /** The JSON text in the clear: whoever has it can read all payloads. */
    public String secretJson() {
        try {
            return TinkJsonProtoKeysetFormat.serializeKeyset(handle, CONFIGURATION, InsecureSecretKeyAccess.get());
        } catch (GeneralSecurityException failed) {
            throw new EncryptionException("The keyset could not be written.", failed);
        }
    }

    /** The JSON text wrapped by a key service, safe to keep where the service's key is not. */
    public String wrapped(Aead service) {
        try {
            return TinkJsonProtoKeysetFormat.serializeEncryptedKeyset(handle, service, PURPOSE, CONFIGURATION);
        } catch (GeneralSecurityException failed) {
            throw new EncryptionException(
                    "The keyset could not be wrapped. See whether the key service answers.", failed);
        }
    }

    /** The same with one more key, which decrypts but does not encrypt yet. */
    public Keyset withNewKey() {
        return of(
                "No key could be added.",
                () -> KeysetHandle.newBuilder(handle)
                        .setConfiguration(CONFIGURATION)
                        .addEntry(KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
                                .withRandomId()
                                .setStatus(KeyStatus.ENABLED))
                        .build());
    }

    /** The same, with this key to encrypt from now on. */
    public Keyset promoting(String id) {
        int at = indexOf(id);
        return of("Key " + id + " could not be promoted.", () -> {
            KeysetHandle.Builder changed = KeysetHandle.newBuilder(handle).setConfiguration(CONFIGURATION);
            changed.getAt(at).makePrimary();
            return changed.build();
        });
    }

    /** The same without this key: what it encrypted can not be read any more. */
    public Keyset without(String id) {
        int at = indexOf(id);
        if (primary().equals(id)) {
            throw new EncryptionException(
                    "Key " + id + " is the primary one, with which payloads are encrypted. Promote another one first.",
                    null);
        }
        return of(
                "Key " + id + " could not be removed.",
                () -> KeysetHandle.newBuilder(handle)
                        .setConfiguration(CONFIGURATION)
                        .deleteAt(at)
                        .build());
    }

    /** The id of the key that encrypts. */
    public String primary() {
        return idOf(handle.getPrimary());
    }

    /** The ids of all keys that are enabled. */
    public Set<String> ids() {
        Set<String> ids = new TreeSet<>();
        for (int i = 0; i < handle.size(); i++) {
            if (handle.getAt(i).getStatus().equals(KeyStatus.ENABLED)) {
                ids.add(idOf(handle.getAt(i)));
            }
        }
        return ids;
    }

    KeysetHandle handle() {
        return handle;
    }

    private int indexOf(String id) {
        for (int i = 0; i < handle.size(); i++) {
            if (idOf(handle.getAt(i)).equals(id)) {
                return i;
            }
        }
        throw new EncryptionException("There is no key " + id + " here, only " + ids() + ".", null);
    }

    private static String idOf(KeysetHandle.Entry entry) {
        return Integer.toUnsignedString(entry.getId());
    }

    /** Names the keys; never shows one. */
    @Override
    public String toString() {
        return "Keyset" + ids() + " primary=" + primary();
    }
}
