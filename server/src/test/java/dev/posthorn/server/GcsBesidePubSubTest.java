package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.NoCredentials;
import com.google.cloud.storage.StorageOptions;
import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.event.Event;
import dev.posthorn.payloadstores.gcs.GcsPayloadStore;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import dev.posthorn.transports.googlepubsub.Endpoint;
import dev.posthorn.transports.googlepubsub.GooglePubSubConfig;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The libraries of Google Cloud Storage and of Pub/Sub agree in the class path of a relay process: both work. */
class GcsBesidePubSubTest {

    private static final int LARGE = 300_000;

    private static PayloadStore storeAt(StorageServer server) {
        return new GcsPayloadStore(
                StorageOptions.newBuilder()
                        .setHost(server.address())
                        .setProjectId("none")
                        .setCredentials(NoCredentials.getInstance())
                        .build()
                        .getService(),
                "payloads",
                "shop");
    }

    private static byte[] large() {
        byte[] bytes = new byte[LARGE];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    @Test
    void aPayloadIsPutReadAndRemovedOverHttp() throws IOException {
        byte[] bytes = large();
        PayloadKey key = PayloadKey.of(ByteBuffer.wrap(bytes));
        try (StorageServer server = StorageServer.start();
                PayloadStore store = storeAt(server)) {
            store.put(key, ByteBuffer.wrap(bytes));

            assertThat(store.get(key, LARGE)).hasValue(bytes);
            assertThat(store.remove(key, Instant.EPOCH)).as("it is newer").isFalse();
            assertThat(store.remove(key, Instant.now().plusSeconds(60))).isTrue();
            assertThat(store.get(key, LARGE)).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void anEventGoesOverPubSubWhileItsPayloadLiesInCloudStorage() throws IOException {
        Assumptions.assumeTrue(
                EmbeddedPubSub.isInstalled() || "true".equals(System.getenv("CI")),
                "there is no emulator of Pub/Sub on this machine");
        byte[] bytes = large();
        PayloadKey key = PayloadKey.of(ByteBuffer.wrap(bytes));
        Queue<Event> received = new ConcurrentLinkedQueue<>();
        Event event = Event.of("shop", "placed")
                .key("a")
                .json("\"" + key.sha256() + "\"")
                .build();
        try (EmbeddedPubSub emulator = EmbeddedPubSub.start();
                StorageServer server = StorageServer.start();
                PayloadStore store = storeAt(server);
                Bus bus = new GooglePubSubTransport(
                        GooglePubSubConfig.at(Endpoint.emulator("posthorn-test", emulator.address()))
                                .names(Names.withPrefix("shop")));
                Subscription subscription =
                        bus.subscribe(Subscriber.named("billing").domains("shop"), delivery -> {
                            received.add(delivery.event());
                            delivery.settle(Verdict.done());
                        });
                PatientPublisher publisher = new PatientPublisher(bus.publisher())) {
            store.put(key, ByteBuffer.wrap(bytes));
            publisher.publish(List.of(event));
            Await.until(() -> "it is received; " + subscription.status(), () -> !received.isEmpty());

            assertThat(received).contains(event);
            assertThat(store.get(key, LARGE)).hasValue(bytes);
        }
    }
}
