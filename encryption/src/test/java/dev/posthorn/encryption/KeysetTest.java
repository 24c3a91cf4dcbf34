package dev.posthorn.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.crypto.tink.Aead;
import dev.posthorn.event.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysetTest {

    private final Event event =
            Event.of("shop", "placed").json("{\"name\":\"Ada\"}").build();

    private static Encryption with(Keyset keyset) {
        return new Encryption(KeyRing.of(keyset));
    }

    private static String added(Keyset before, Keyset after) {
        return after.ids().stream()
                .filter(id -> !before.ids().contains(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void keysRotateWithoutAMomentInWhichSomethingCanNotBeRead() {
        Keyset first = Keyset.generate();
        Event byFirst = with(first).encrypt(event);

        Keyset second = first.withNewKey();
        assertThat(second.primary()).isEqualTo(first.primary());
        Keyset third = second.promoting(added(first, second));
        Event byThird = with(third).encrypt(event);

        assertThat(with(second).decrypt(byFirst)).isEqualTo(event);
        assertThat(with(second).decrypt(byThird)).isEqualTo(event);
        assertThat(with(third).decrypt(byFirst)).isEqualTo(event);
        assertThat(byThird.headers().get(Encryption.KEY_HEADER)).isNotEqualTo(first.primary());
    }

    @Test
    void withoutItsKeyNothingCanBeRead() {
        Keyset first = Keyset.generate();
        Event sealed = with(first).encrypt(event);
        Keyset both = first.withNewKey();
        Keyset second = both.promoting(added(first, both)).without(first.primary());

        assertThat(second.ids()).hasSize(1);
        assertThatThrownBy(() -> with(second).decrypt(sealed)).isInstanceOf(UnknownKeyException.class);
    }

    @Test
    void thePrimaryKeyStays() {
        Keyset keyset = Keyset.generate().withNewKey();

        assertThatThrownBy(() -> keyset.without(keyset.primary())).hasMessageContaining("Promote another one first");
    }

    @Test
    void aKeyThatIsNotThereCanNotBePromoted() {
        assertThatThrownBy(() -> Keyset.generate().promoting("7")).hasMessageContaining("There is no key 7 here");
    }

    @Test
    void keysComeFromAFile(@TempDir Path folder) throws IOException {
        Keyset keyset = Keyset.generate();
        Path file = Files.writeString(folder.resolve("keys.json"), keyset.secretJson());

        Keyset read = Keyset.parse(Keyset.textOf(file));

        assertThat(with(read).decrypt(with(keyset).encrypt(event))).isEqualTo(event);
        assertThatThrownBy(() -> Keyset.textOf(folder.resolve("none.json"))).hasMessageContaining("none.json");
    }

    @Test
    void keysComeFromTheEnvironment() {
        Keyset keyset = Keyset.generate();

        Keyset read = Keyset.parse(Keyset.textOf("KEYS", Map.of("KEYS", keyset.secretJson())));

        assertThat(read.ids()).isEqualTo(keyset.ids());
        assertThatThrownBy(() -> Keyset.textOf("KEYS", Map.of())).hasMessageContaining("KEYS is not set");
    }

    @Test
    void keysComeWrappedByAKeyService() throws GeneralSecurityException {
        Keyset keyset = Keyset.generate();
        Aead service = Keyset.generate().handle().getPrimitive(Keyset.CONFIGURATION, Aead.class);
        Aead other = Keyset.generate().handle().getPrimitive(Keyset.CONFIGURATION, Aead.class);

        String wrapped = keyset.wrapped(service);

        assertThat(Keyset.unwrap(wrapped, service).ids()).isEqualTo(keyset.ids());
        assertThatThrownBy(() -> Keyset.unwrap(wrapped, other)).isInstanceOf(EncryptionException.class);
        assertThatThrownBy(() -> Keyset.parse(wrapped)).hasMessageContaining("wrapped");
    }

    @Test
    void keysAreNamedAndNeverShown() {
        Keyset keyset = Keyset.generate();

        assertThat(keyset.toString()).contains(keyset.primary()).hasSizeLessThan(60);
        assertThat(KeyRing.of(keyset).toString()).contains(keyset.primary()).hasSizeLessThan(60);
        assertThat(KeyRing.of(keyset).ids()).isEqualTo(Set.of(keyset.primary()));
    }
}
