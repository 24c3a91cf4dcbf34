package dev.posthorn.transports.ipc;

import dev.posthorn.testkit.BrokerFaults;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.testkit.TestBroker;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A folder for each prefix; hubs are hosted by a process of their own, or by the transports themselves. */
final class TestIpc implements TestBroker {

    private static final Pattern PAYLOAD = Pattern.compile("\"payload\":\"([^\"]*)\"}$");

    private final Path root;
    private final UnaryOperator<IpcConfig> settings;
    private final Optional<HubProcess> process;

    private TestIpc(UnaryOperator<IpcConfig> settings, Optional<HubProcess> process) {
        this.settings = settings;
        this.process = process;
        try {
            this.root = Files.createTempDirectory("ipc");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static TestIpc hostedByTransports(UnaryOperator<IpcConfig> settings) {
        return new TestIpc(settings, Optional.empty());
    }

    static TestIpc inAProcess(UnaryOperator<IpcConfig> settings) {
        return new TestIpc(config -> settings.apply(config.shape(Shape.HUB)), Optional.of(new HubProcess()));
    }

    private IpcConfig config(String prefix) {
        Path folder = root.resolve(prefix);
        process.ifPresent(hubs -> hubs.host(folder));
        return settings.apply(IpcTests.config(folder));
    }

    @Override
    public Bus open(String prefix) {
        return new IpcTransport(config(prefix));
    }

    @Override
    public Bus openLenient(String prefix) {
        return new IpcTransport(config(prefix).unroutable(Unroutable.ACCEPT));
    }

    /** As any program could that knows the protocol. */
    @Override
    public boolean inject(String prefix, String domain, byte[] bytes) {
        Folder folder = new Folder(root.resolve(prefix));
        try {
            List<String> hubs = new ArrayList<>(folder.peers());
            if (hubs.isEmpty()) {
                hubs.add(Folder.HUB);
            }
            for (String hub : hubs) {
                try (RawClient client = new RawClient(folder.socket(hub))) {
                    client.greet();
                    client.publish(1, Map.of(EventMessage.DOMAIN, domain), bytes);
                    client.expect(Frames.ANSWER);
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Read as text, without the transport. */
    @Override
    public List<byte[]> deadLetters(String prefix, Subscriber subscriber, String domain) {
        List<byte[]> bodies = new ArrayList<>();
        for (String line : deadLetterHeaders(prefix, subscriber, domain)) {
            Matcher found = PAYLOAD.matcher(line);
            if (found.find()) {
                bodies.add(Base64.getDecoder().decode(found.group(1)));
            }
        }
        return bodies;
    }

    /** A line has headers and payload. */
    @Override
    public List<String> deadLetterHeaders(String prefix, Subscriber subscriber, String domain) {
        try (Stream<Path> files = Files.list(root.resolve(prefix))) {
            List<String> lines = new ArrayList<>();
            for (Path file : files.filter(file -> String.valueOf(file.getFileName())
                            .matches("dlq-" + domain + "(\\." + subscriber.name() + ")?\\.jsonl"))
                    .toList()) {
                lines.addAll(Files.readAllLines(file));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<BrokerFaults> faults() {
        return process.map(hubs -> new BrokerFaults() {
            @Override
            public void kill() {
                hubs.kill();
            }

            @Override
            public void start() {
                hubs.start();
            }

            @Override
            public void freeze() {
                hubs.freeze();
            }

            @Override
            public void thaw() {
                hubs.thaw();
            }

            @Override
            public Optional<Forwarder> network() {
                return Optional.empty();
            }

            @Override
            public Bus openThroughNetwork(String prefix) {
                throw new UnsupportedOperationException("a socket of the file system has no network");
            }
        });
    }

    @Override
    public void close() {
        process.ifPresent(HubProcess::close);
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
