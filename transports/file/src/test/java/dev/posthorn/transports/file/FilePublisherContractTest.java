package dev.posthorn.transports.file;

import dev.posthorn.testkit.PublisherContract;
import dev.posthorn.testkit.Received;
import dev.posthorn.transport.Transport;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

class FilePublisherContractTest extends PublisherContract {

    private final StallingClock clock = new StallingClock();

    @TempDir
    Path directory;

    @Override
    protected Transport open() {
        return new FileTransport(file(), "relay-1", clock);
    }

    @Override
    protected List<Received> received() {
        return Lines.of(file()).stream().map(Lines::received).toList();
    }

    @Override
    protected Optional<Runnable> stall() {
        return Optional.of(clock.stall());
    }

    private Path file() {
        return directory.resolve("events.jsonl");
    }
}
