package dev.posthorn.transports.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The README's example runs as it stands there. */
class ExampleTest extends IpcTests {

    @Test
    void theExampleOfTheReadmeWorks() {
        List<Event> invoices = new CopyOnWriteArrayList<>();
        Path folder = folder();
        // example:start
        IpcTransport transport = new IpcTransport(IpcConfig.in(folder)); // in every process
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
    void theReadmeShowsThisExample() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/posthorn/transports/ipc/ExampleTest.java"));
        String example = source.substring(
                        source.indexOf("// example:start\n") + 17, source.indexOf("        // example:end"))
                .stripTrailing()
                .stripIndent();

        assertThat(Files.readString(Path.of("README.md"))).contains(example);
    }
}
