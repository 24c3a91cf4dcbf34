package dev.posthorn.systemtests;

import dev.posthorn.testkit.Forwarder;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.ipc.Acceptance;
import dev.posthorn.transports.ipc.IpcConfig;
import dev.posthorn.transports.ipc.IpcTransport;
import dev.posthorn.transports.ipc.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The hub is a process of its own. An event is accepted when it is handled, so that nothing is lost with the hub. */
class IpcEndToEndTest extends RelayEndToEnd {

    @TempDir
    private Path folder;

    @Override
    BrokerUnderTest startBroker() {
        return new HubProcess(folder);
    }

    private static final class HubProcess implements BrokerUnderTest {

        private final Path folder;
        private JavaProcess process;

        HubProcess(Path folder) {
            this.folder = folder;
            this.process = launch();
        }

        private JavaProcess launch() {
            JavaProcess launched = JavaProcess.start(
                    folder.resolve("hub.log"),
                    IpcHubMain.class.getName(),
                    List.of(folder.resolve("ipc").toString()));
            String unused = launched.readLine();
            return launched;
        }

        @Override
        public Bus open() {
            return new IpcTransport(
                    IpcConfig.in(folder.resolve("ipc")).shape(Shape.HUB).acceptance(Acceptance.HANDLED));
        }

        @Override
        public void kill() {
            process.kill();
            process.awaitExit(Duration.ofSeconds(20));
        }

        @Override
        public void start() {
            process = launch();
        }

        @Override
        public void freeze() {
            process.freeze();
        }

        @Override
        public void thaw() {
            process.thaw();
        }

        /** A socket of the file system has none. */
        @Override
        public Optional<Forwarder> network() {
            return Optional.empty();
        }

        @Override
        public Bus openThroughNetwork() {
            return open();
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
