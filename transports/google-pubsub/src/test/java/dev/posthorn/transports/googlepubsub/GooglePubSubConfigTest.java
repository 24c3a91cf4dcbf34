package dev.posthorn.transports.googlepubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.auth.Credentials;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Subscriber;
import io.grpc.Attributes;
import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GooglePubSubConfigTest {

    private static final Endpoint EMULATOR = Endpoint.emulator("shop-prod", "127.0.0.1:8085");

    @Test
    void everythingThatIsWrongIsSaidAtOnce() {
        SubscriptionSettings wrong = new SubscriptionSettings(Duration.ofSeconds(9), Duration.ofDays(32), 4, false);

        assertThatThrownBy(() -> new GooglePubSubConfig(
                        Endpoint.emulator("Shop", "nowhere"),
                        Names.withPrefix("1"),
                        Provisioning.of(Provision.CREATE),
                        wrong,
                        0,
                        new GooglePubSubConfig.Timing(Duration.ZERO, Duration.ZERO)))
                .isInstanceOf(PosthornException.class)
                .hasMessageContainingAll(
                        "Shop",
                        "nowhere",
                        "begin with a letter",
                        "ackDeadline",
                        "retention",
                        "maxDeliveries",
                        "maxMessageBytes",
                        "timing.answer",
                        "timing.discovery");
    }

    @ParameterizedTest
    @ValueSource(strings = {"goog", "1st", "-x"})
    void aPrefixThatNoTopicCanHaveFailsAtTheStart(String prefix) {
        assertThatThrownBy(() -> GooglePubSubConfig.at(EMULATOR).names(Names.withPrefix(prefix)))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("letter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{prefix}-{type}", "{prefix}-{tenant}", "{prefix}-{aggregate-type}"})
    void topicsAreByDomainOrOneForAll(String template) {
        assertThatThrownBy(() -> GooglePubSubConfig.at(EMULATOR)
                        .names(Names.withPrefix("shop").events(template)))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("prefix, domain and subscriber");
    }

    @Test
    void aSubscriptionIsOfOneSubscriberAndOneTopic() {
        Names names = Names.withPrefix("shop").subscribers("{prefix}-{subscriber}");

        assertThatThrownBy(() -> GooglePubSubConfig.at(EMULATOR).names(names))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("{domain}");
    }

    @Test
    void aSubscriptionMayBeCalledAsItsSubscriberAndNothingElse() {
        Names names = Names.withPrefix("shop")
                .events("pf-domain-events")
                .subscribers("{subscriber}")
                .deadLetters("shop-dlq");
        GooglePubSubConfig config = GooglePubSubConfig.at(EMULATOR).names(names);

        assertThat(new TopicNames("shop-prod", config.names()).subscriptionOf("pf-worker", TopicNames.ANY))
                .isEqualTo("projects/shop-prod/subscriptions/pf-worker");
    }

    @Test
    void namesFollowTheTemplatesAndForeignCharactersBecomeHyphens() {
        TopicNames names = new TopicNames("shop-prod", Names.withPrefix("shop"));

        assertThat(names.topicOf("stock/eu:1")).isEqualTo("projects/shop-prod/topics/shop-events-stock-eu-1");
        assertThat(names.subscriptionOf("billing", "orders"))
                .isEqualTo("projects/shop-prod/subscriptions/shop-billing-orders");
        assertThat(names.deadLettersOf("orders")).isEqualTo("projects/shop-prod/topics/shop-dlq-orders");
        assertThat(names.domainOfTopic("projects/shop-prod/topics/shop-events-stock-eu-1"))
                .hasValue("stock-eu-1");
        assertThat(names.domainOfTopic("projects/shop-prod/topics/shop-dlq-orders"))
                .isEmpty();
        assertThat(names.domainOfTopic("projects/shop-prod/topics/other-events-orders"))
                .isEmpty();
        assertThat(TopicNames.subscriberOfEntry(names.entryOf("audit"))).hasValue("audit");
    }

    @Test
    void aSubscriberWhoseNameIsTooLongIsRefusedWhenItSubscribes() {
        String domain = "d".repeat(200);
        try (GooglePubSubTransport transport = new GooglePubSubTransport(GooglePubSubConfig.at(EMULATOR))) {
            assertThatThrownBy(() -> transport.subscribe(
                            Subscriber.named("s".repeat(100)).domains(domain), delivery -> {}))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("255");
        }
    }

    @Test
    void anAddressNamesAProjectPerhapsATopicAndAnEmulator() {
        GooglePubSubConfig config = GooglePubSubConfig.parse(
                        "pubsub://shop-prod/pf-domain-events?emulator=localhost:8085")
                .prefix("shop");
        TopicNames names = new TopicNames("shop-prod", config.names());

        assertThat(config.endpoint()).isEqualTo(Endpoint.emulator("shop-prod", "localhost:8085"));
        assertThat(names.isOneTopic()).isTrue();
        assertThat(names.topicOf("orders")).isEqualTo("projects/shop-prod/topics/pf-domain-events");
        assertThat(names.subscriptionOf("billing", "orders"))
                .isEqualTo("projects/shop-prod/subscriptions/shop-billing");
        assertThat(GooglePubSubConfig.parse("pubsub://shop-prod")
                        .names()
                        .events()
                        .needs("domain"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pubsub://", "pubsub://user:hunter2@shop-prod", "pubsub://shop-prod?emulator=hunter2"})
    void whatIsNoAddressIsNotRepeated(String address) {
        assertThatThrownBy(() -> GooglePubSubConfig.parse(address))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("pubsub://PROJECT")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void theVariableOfGooglesClientsNamesAnEmulator() {
        Endpoint emulator = Endpoint.of("shop-prod", Map.of("PUBSUB_EMULATOR_HOST", "localhost:8085"));
        Endpoint cloud = Endpoint.of("shop-prod", Map.of());

        assertThat(emulator).isEqualTo(Endpoint.emulator("shop-prod", "localhost:8085"));
        assertThat(cloud.emulator()).isFalse();
        assertThat(cloud.address()).isEqualTo("pubsub.googleapis.com:443");
        assertThat(cloud.credentials()).as("the application's default ones").isEmpty();
    }

    @Test
    void credentialsAreInNoText() {
        Endpoint endpoint = Endpoint.of("shop-prod", Map.of()).credentials(new Token("hunter2"));

        assertThat(GooglePubSubConfig.at(endpoint).toString())
                .contains("given credentials")
                .doesNotContain("hunter2");
        assertThat(endpoint.toString()).doesNotContain("hunter2");
    }

    @Test
    void givenCredentialsGoWithEveryCall() {
        Applied applied = new Applied();

        new LazyCredentials(Optional.of(new Token("hunter2"))).applyRequestMetadata(new Call(), Runnable::run, applied);

        assertThat(applied.headers.get())
                .isNotNull()
                .satisfies(headers -> assertThat(
                                headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER)))
                        .isEqualTo("Bearer hunter2"));
    }

    /** Says its token when it is asked for text, as no real ones do. */
    private static final class Token extends Credentials {

        private static final long serialVersionUID = 1L;

        private final String secret;

        Token(String secret) {
            this.secret = secret;
        }

        @Override
        public String getAuthenticationType() {
            return "OAuth2";
        }

        @Override
        public Map<String, List<String>> getRequestMetadata(@Nullable URI uri) throws IOException {
            return Map.of("authorization", List.of("Bearer " + secret));
        }

        @Override
        public boolean hasRequestMetadata() {
            return true;
        }

        @Override
        public boolean hasRequestMetadataOnly() {
            return true;
        }

        @Override
        public void refresh() {}

        @Override
        public String toString() {
            return secret;
        }
    }

    private static final class Applied extends CallCredentials.MetadataApplier {

        final AtomicReference<Metadata> headers = new AtomicReference<>();

        @Override
        public void apply(Metadata given) {
            headers.set(given);
        }

        @Override
        public void fail(Status status) {
            throw new AssertionError(status);
        }
    }

    private static final class Call extends CallCredentials.RequestInfo {

        @Override
        public MethodDescriptor<?, ?> getMethodDescriptor() {
            return Rpc.PUBLISH.method();
        }

        @Override
        public SecurityLevel getSecurityLevel() {
            return SecurityLevel.PRIVACY_AND_INTEGRITY;
        }

        @Override
        public String getAuthority() {
            return "pubsub.googleapis.com";
        }

        @Override
        public Attributes getTransportAttrs() {
            return Attributes.EMPTY;
        }
    }
}
