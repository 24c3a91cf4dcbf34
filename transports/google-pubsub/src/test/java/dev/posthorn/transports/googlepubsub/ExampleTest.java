package dev.posthorn.transports.googlepubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.TypeTopics;
import dev.posthorn.transport.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ExampleTest extends PubSubTests {

    @Test
    void theExampleOfTheReadmeWorks() {
        List<Event> invoices = new CopyOnWriteArrayList<>();
        Endpoint endpoint = config().endpoint();
        // example:start
        // Endpoint endpoint = Endpoint.of("shop-prod"); the emulator's where PUBSUB_EMULATOR_HOST says so
        GooglePubSubConfig config = GooglePubSubConfig.at(endpoint).names(Names.withPrefix("trade"));
        GooglePubSubTransport transport = new GooglePubSubTransport(config);
        transport.subscribe(Subscriber.named("billing").domains("orders"), delivery -> {
            invoices.add(delivery.event());
            delivery.settle(Verdict.done());
        });
        Publisher publisher = transport.publisher(); // a relay's
        // example:end
        closing(transport);
        Event event = event("k");
        TrackedPublication publication = new TrackedPublication(event, 1);
        publisher.publish(List.of(publication));

        assertThat(publication.awaitOutcome()).isEqualTo(Outcome.accepted());
        Await.until("the invoice", () -> invoices.contains(event));
    }

    @Test
    void aTypeThatNamesItsTopicIsReadByItsSubscribers() {
        List<Event> payments = new CopyOnWriteArrayList<>();
        List<Event> everything = new CopyOnWriteArrayList<>();
        TypeTopics topics = TypeTopics.of(Map.of(new TypeTopics.TypeName("orders", "Paid"), "{prefix}-payments"));
        GooglePubSubTransport transport = new GooglePubSubTransport(
                config().names(Names.withPrefix(prefix).topics(topics)));
        closing(transport);
        transport.subscribe(Subscriber.named("billing").domains("orders"), delivery -> {
            payments.add(delivery.event());
            delivery.settle(Verdict.done());
        });
        transport.subscribe(Subscriber.named("audit"), delivery -> {
            everything.add(delivery.event());
            delivery.settle(Verdict.done());
        });
        Event paid = Event.of("orders", "Paid").key("k").json("{}").build();
        TrackedPublication publication = new TrackedPublication(paid, 1);

        transport.publisher().publish(List.of(publication));

        assertThat(publication.awaitOutcome()).isEqualTo(Outcome.accepted());
        Await.until("the payment", () -> payments.contains(paid) && everything.contains(paid));
    }

    @Test
    void theReadmeShowsThisExample() throws IOException {
        String source =
                Files.readString(Path.of("src/test/java/dev/posthorn/transports/googlepubsub/ExampleTest.java"));
        String example = source.substring(
                        source.indexOf("// example:start\n") + 17, source.indexOf("        // example:end"))
                .stripTrailing()
                .stripIndent();

        assertThat(Files.readString(Path.of("README.md"))).contains(example);
    }
}
