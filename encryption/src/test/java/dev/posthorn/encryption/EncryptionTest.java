package dev.posthorn.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.aead.KmsEnvelopeAead;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.DeadLetterException;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.transport.Verdict;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EncryptionTest {

    private static final String SECRET = "{\"name\":\"Ada Lovelace\"}";

    private final Keyset keyset = Keyset.generate();
    private final Encryption encryption = new Encryption(KeyRing.of(keyset));

    private static Event event() {
        return Event.of("shop", "placed")
                .id(new UUID(1, 2))
                .key("order-1")
                .tenant("acme")
                .header("h", "1")
                .json(SECRET)
                .build();
    }

    @Test
    void whatIsEncryptedComesBackAsItWas() {
        Event back = encryption.decrypt(encryption.encrypt(event()));

        assertThat(back.payloadBytes()).isEqualTo(SECRET.getBytes(UTF_8));
        assertThat(back.contentType()).isEqualTo("application/json");
        assertThat(back.headers()).isEqualTo(event().headers());
    }

    @Test
    void ciphertextShowsTheKeyAndNothingOfThePayload() {
        Event sealed = encryption.encrypt(event());

        assertThat(new String(sealed.payloadBytes(), UTF_8)).doesNotContain("Ada");
        assertThat(sealed.contentType()).isEqualTo(Encryption.CONTENT_TYPE);
        assertThat(sealed.headers()).containsEntry(Encryption.KEY_HEADER, keyset.primary());
        assertThat(sealed.key()).contains("order-1");
    }

    @Test
    void aChecksumOfThePayloadDoesNotStayBesideTheCiphertext() {
        Event sealed = encryption.encrypt(event().withStamp(17));

        assertThat(sealed.stamp())
                .as("a checksum would tell about what is hidden")
                .isZero();
        assertThat(sealed.headers()).containsEntry("h", "1");
    }

    @Test
    void theSamePayloadNeverHasTheSameCiphertext() {
        assertThat(encryption.encrypt(event()).payloadBytes())
                .isNotEqualTo(encryption.encrypt(event()).payloadBytes());
    }

    @Test
    void anEventIsEncryptedOnce() {
        Event sealed = encryption.encrypt(event());

        assertThat(encryption.encrypt(sealed)).isSameAs(sealed);
    }

    /** Each leaves the event encrypted, and not what it was. */
    enum Tampering {
        A_BIT_OF_THE_PAYLOAD(event -> {
            byte[] bytes = event.payloadBytes();
            bytes[bytes.length / 2] ^= 1;
            return event.withPayload(bytes, event.contentType());
        }),
        THE_END_OF_THE_PAYLOAD(
                event -> event.withPayload(Arrays.copyOf(event.payloadBytes(), 20), event.contentType())),
        ALL_OF_THE_PAYLOAD(event -> event.withPayload(new byte[0], event.contentType())),
        THE_ID(event -> copy(event, new UUID(3, 4), "placed", "acme")),
        THE_TYPE(event -> copy(event, event.id(), "cancelled", "acme")),
        THE_TENANT(event -> copy(event, event.id(), "placed", "other")),
        THE_TENANT_TAKEN_AWAY(event -> copy(event, event.id(), "placed", null)),
        THE_CONTENT_TYPE(event -> event.withHeader(Encryption.TYPE_HEADER, "text/html")),
        THE_CONTENT_TYPE_TAKEN_AWAY(event -> event.withoutHeader(Encryption.TYPE_HEADER));

        @SuppressWarnings("ImmutableEnumChecker")
        private final UnaryOperator<Event> change;

        Tampering(UnaryOperator<Event> change) {
            this.change = change;
        }

        private static Event copy(Event event, UUID id, String type, @Nullable String tenant) {
            return Event.of(event.domain(), type)
                    .id(id)
                    .tenant(tenant)
                    .headers(event.headers())
                    .payload(event.payloadBytes(), event.contentType())
                    .build();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasTamperedWithIsADeadLetterAtOnce(Tampering tampering) {
        List<Event> handled = new ArrayList<>();
        EventHandler<String> handler = encryption.around(EventHandler.of((event, transaction) -> handled.add(event)));
        Event tampered = tampering.change.apply(encryption.encrypt(event()));

        assertThatThrownBy(() -> handler.handle(tampered, ""))
                .isInstanceOf(DeadLetterException.class)
                .hasMessageContaining("changed after it was encrypted");

        assertThat(handled).isEmpty();
    }

    @Test
    void aHandlerGetsPlaintext() throws Exception {
        List<Event> handled = new ArrayList<>();
        EventHandler<String> handler = encryption.around(EventHandler.of((event, transaction) -> handled.add(event)));

        Event event = event();

        Verdict verdict = handler.handle(encryption.encrypt(event), "");

        assertThat(verdict).isEqualTo(Verdict.done());
        assertThat(handled).containsExactly(event);
    }

    @Test
    void aKeyThatIsNotHereYetIsWaitedFor() {
        Keyset next = keyset.withNewKey();
        String added = next.ids().stream()
                .filter(id -> !id.equals(keyset.primary()))
                .findFirst()
                .orElseThrow();
        Event sealed = new Encryption(KeyRing.of(next.promoting(added))).encrypt(event());
        EventHandler<String> handler = encryption.around(EventHandler.of((event, transaction) -> {}));

        assertThatThrownBy(() -> handler.handle(sealed, ""))
                .isInstanceOf(UnknownKeyException.class)
                .hasMessageContaining(added)
                .hasMessageContaining(keyset.primary());
    }

    @Test
    void aKeyServiceCanBeBehindIt() throws GeneralSecurityException {
        Aead service = Keyset.generate().handle().getPrimitive(Keyset.CONFIGURATION, Aead.class);
        Aead envelope = KmsEnvelopeAead.create(PredefinedAeadParameters.AES256_GCM, service);
        Encryption remote = new Encryption(KeyRing.remote("kms-1", envelope));

        Event sealed = remote.encrypt(event());

        assertThat(sealed.headers()).containsEntry(Encryption.KEY_HEADER, "kms-1");
        assertThat(remote.decrypt(sealed).payloadBytes()).isEqualTo(SECRET.getBytes(UTF_8));
    }

    @Test
    void aKeyServiceThatDoesNotAnswerIsNoTampering() {
        Encryption remote = new Encryption(KeyRing.remote("kms-1", new Aead() {
            @Override
            public byte[] encrypt(byte[] plaintext, byte[] binding) {
                return plaintext;
            }

            @Override
            public byte[] decrypt(byte[] ciphertext, byte[] binding) throws GeneralSecurityException {
                throw new GeneralSecurityException("connection refused");
            }
        }));
        Event sealed = remote.encrypt(event());

        assertThatThrownBy(() -> remote.decrypt(sealed))
                .isExactlyInstanceOf(EncryptionException.class)
                .hasMessageContaining("key service");
    }
}
