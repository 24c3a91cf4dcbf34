package dev.posthorn.testkit;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Transport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;

/** The fake keeps the contract that real transports keep. */
class RecordingTransportContractTest extends PublisherContract {

    private final ExecutorService settler = Executors.newSingleThreadExecutor();
    private final RecordingTransport transport =
            RecordingTransport.answering((event, attempt) -> Outcome.accepted(), settler);

    @AfterEach
    void stopSettler() {
        settler.shutdown();
    }

    @Override
    protected Transport open() {
        return transport;
    }

    @Override
    protected List<Received> received() {
        return transport.events().stream().map(Received::of).toList();
    }

    @Override
    protected Optional<Runnable> stall() {
        CountDownLatch goOn = new CountDownLatch(1);
        settler.execute(() -> awaitQuietly(goOn));
        return Optional.of(goOn::countDown);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
