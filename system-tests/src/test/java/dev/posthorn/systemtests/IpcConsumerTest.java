package dev.posthorn.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.transports.ipc.IpcConfig;
import dev.posthorn.transports.ipc.IpcHub;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

class IpcConsumerTest extends ConsumerOnBroker {

    @Override
    ConsumedBroker startBroker() {
        try {
            Path folder = Files.createTempDirectory("ipc");
            return new OwnHub(folder, IpcHub.start(IpcConfig.in(folder)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record OwnHub(Path folder, IpcHub hub) implements ConsumedBroker {

        private static final Pattern LETTER =
                Pattern.compile("\"reason\":\"(.*?)\",\"sub.*\"posthorn-id\":\"(.*?)\".*\"payload\":\"(.*?)\"");

        @Override
        public String address() {
            return "ipc " + folder;
        }

        /** A line of JSON each. */
        @Override
        public List<Letter> deadLetters(String subscriber, String domain) {
            Path file = folder.resolve("dlq-" + domain + ".jsonl");
            try {
                return Files.exists(file)
                        ? Files.readAllLines(file).stream().map(OwnHub::letter).toList()
                        : List.of();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static Letter letter(String line) {
            Matcher fields = LETTER.matcher(line);
            assertThat(fields.find()).as(line).isTrue();
            return new Letter(
                    fields.group(2),
                    fields.group(1),
                    ByteBuffer.wrap(Base64.getDecoder().decode(fields.group(3))));
        }

        /** Byte by byte as the README of the transport says. */
        @Override
        public void inject(String domain, byte[] bytes) {
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("hub.sock")))) {
                DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel));
                DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
                out.writeInt(10);
                out.writeByte(1);
                out.writeBytes("PHRN");
                out.writeByte(1);
                out.writeInt(5_000);
                assertThat(in.readNBytes(in.readInt())[0]).as("WELCOME").isEqualTo((byte) 33);
                byte[] name = "posthorn-domain".getBytes(UTF_8);
                byte[] value = domain.getBytes(UTF_8);
                out.writeInt(1 + 8 + 1 + 4 + 4 + name.length + 4 + value.length + bytes.length);
                out.writeByte(2);
                out.writeLong(7);
                out.writeByte(0);
                out.writeInt(1);
                out.writeInt(name.length);
                out.write(name);
                out.writeInt(value.length);
                out.write(value);
                out.write(bytes);
                byte[] answer = in.readNBytes(in.readInt());
                assertThat(answer[0]).as("ANSWER").isEqualTo((byte) 34);
                assertThat(answer[9]).as("accepted").isZero();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            hub.close();
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
