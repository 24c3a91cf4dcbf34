package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody else gets at the sockets, and nobody else could take their place. */
class RightsTest extends IpcTests {

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void theFolderAndAllThatIsInItBelongToTheirOwnerAlone() throws IOException {
        IpcTransport bus = transport();
        closing(bus.subscribe(Subscriber.named("billing"), new Inbound(delivery -> Verdict.reject("for the test"))));
        assertThat(outcomes(bus, events(1, 1))).containsOnly(Outcome.accepted());
        Path dead = folder().resolve("dlq-orders.jsonl");
        Await.until("the dead letter", () -> Files.exists(dead));

        assertThat(rights(folder())).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(folder())) {
            List<Path> all = files.toList();
            assertThat(all)
                    .extracting(file -> String.valueOf(file.getFileName()))
                    .containsExactlyInAnyOrder("hub.sock", "hub.lock", "hub.groups", "dlq-orders.jsonl");
            for (Path file : all) {
                assertThat(rights(file)).as(file.toString()).isEqualTo("rw-------");
            }
        }
    }

    /** In a folder that others may look into, in a process without a umask, hundreds of times. */
    @Test
    @Tag("slow")
    void thereIsNoMomentInWhichASocketIsOpenToOthers() throws IOException {
        Files.createDirectories(folder());
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        ChildJvm child = closing(ChildJvm.start(
                List.of("sh", "-c", "umask 0; exec \"$@\"", "sh"), OpensAndCloses.class, List.of(folder().toString())));
        CompletableFuture<String> finished = CompletableFuture.supplyAsync(child::readLine);
        Set<String> seen = new TreeSet<>();

        while (!finished.isDone()) {
            look(seen);
        }

        assertThat(finished.join()).isEqualTo("300 times");
        assertThat(seen).contains("socket rw-------").isSubsetOf("socket rw-------", "folder rwx------");
    }

    private void look(Set<String> seen) throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file : files.toList()) {
                try {
                    if (Files.isDirectory(file)) {
                        seen.add("folder " + rights(file));
                    } else if (String.valueOf(file.getFileName()).endsWith(".sock")) {
                        seen.add("socket " + rights(file));
                    }
                } catch (NoSuchFileException gone) {
                    assertThat(gone).isNotNull(); // between the list and the look
                }
            }
        }
    }

    /** Hosts a hub and ends it, 300 times. */
    static final class OpensAndCloses {

        private OpensAndCloses() {}

        public static void main(String[] args) {
            for (int i = 0; i < 300; i++) {
                IpcHub.start(config(Path.of(args[0]))).close();
            }
            System.out.println("300 times");
        }
    }

    @Test
    void aFolderThatOthersMayWriteToIsRefused() throws IOException {
        Files.createDirectories(folder());
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxrwx---"));

        assertThatThrownBy(this::config)
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("may be written to by others")
                .hasMessageContaining("chmod 700");
    }

    @Test
    void aFolderThatIsOpenedToOthersLaterIsNotConnectedTo() throws IOException {
        IpcHub unused = hub();
        IpcTransport bus = transport(config().shape(Shape.HUB));
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxrwxrwx"));

        List<Outcome> outcomes = outcomes(bus, events(1, 1));
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwx------"));

        assertThat(outcomes).allMatch(Outcome.Unavailable.class::isInstance);
        assertThat(outcomes.get(0).toString()).contains("may be written to by others");
    }

    @Test
    void aPathThatIsTooLongForASocketIsSaidAtTheStart() {
        Path deep = folder().resolve("a".repeat(90));

        assertThatThrownBy(() -> IpcConfig.in(deep))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("at most 106 bytes")
                .hasMessageContaining(deep.toString());
    }

    @Test
    void aSubscriberWhoseSocketWouldHaveATooLongPathIsRefused() {
        IpcTransport bus = transport(config().shape(Shape.PEERS));

        assertThatThrownBy(() -> bus.subscribe(Subscriber.named("s".repeat(100)), new Inbound()))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("at most 106 bytes");
    }

    @Test
    void theLongestPathThatIsAllowedWorks() {
        int room = 106 - folder().toString().getBytes(UTF_8).length - "/".length() - "/hub.sock".length();
        IpcTransport bus = transport(config(folder().resolve("x".repeat(room))));
        Inbound inbound = new Inbound();
        closing(bus.subscribe(Subscriber.named("billing"), inbound));

        assertThat(outcomes(bus, events(1, 1))).containsOnly(Outcome.accepted());
        inbound.await(1);
    }

    @Test
    void allFaultsOfAConfigurationAreNamedAtOnce() {
        assertThatThrownBy(() -> new IpcConfig(
                        folder(),
                        Shape.HUB,
                        Acceptance.QUEUED,
                        Unroutable.FAIL,
                        new IpcConfig.Limits(0, 0, 0, 0),
                        TIMING.answer(Duration.ZERO)))
                .hasMessageContaining("limits.capacity ")
                .hasMessageContaining("limits.capacityBytes")
                .hasMessageContaining("limits.maxMessageBytes")
                .hasMessageContaining("limits.connections")
                .hasMessageContaining("timing.answer");
    }
}
