package dev.posthorn.transports.googlepubsub;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Stands before the emulator, writes down every call and lets some fail as the test decides. */
final class Interposer implements AutoCloseable {

    /** A call on its way, such as {@code Publish}. */
    record Call(String name, ByteString request) {}

    private final ManagedChannel behind;
    private final Server server;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile Function<Call, Optional<Status>> rule = call -> Optional.empty();

    Interposer(String address) {
        behind = NettyChannelBuilder.forTarget(address)
                .usePlaintext()
                .maxInboundMessageSize(64 << 20)
                .build();
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .maxInboundMessageSize(64 << 20)
                .fallbackHandlerRegistry(new Every())
                .build();
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    /** From now on a call fails with the status that this answers. */
    void failing(Function<Call, Optional<Status>> decide) {
        rule = decide;
    }

    void failing(String name, Status status) {
        failing(call -> call.name().equals(name) ? Optional.of(status) : Optional.empty());
    }

    void letThrough() {
        failing(call -> Optional.empty());
    }

    List<Call> calls(String name) {
        return calls.stream().filter(call -> call.name().equals(name)).toList();
    }

    private final class Every extends HandlerRegistry {

        @Override
        public ServerMethodDefinition<?, ?> lookupMethod(String method, String authority) {
            MethodDescriptor<byte[], byte[]> descriptor = MethodDescriptor.<byte[], byte[]>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName(method)
                    .setRequestMarshaller(new Bytes())
                    .setResponseMarshaller(new Bytes())
                    .build();
            return ServerMethodDefinition.create(
                    descriptor,
                    ServerCalls.asyncUnaryCall((byte[] request, StreamObserver<byte[]> answer) -> handle(
                            descriptor,
                            new Call(method.substring(method.indexOf('/') + 1), ByteString.copyFrom(request)),
                            answer)));
        }
    }

    private void handle(MethodDescriptor<byte[], byte[]> method, Call call, StreamObserver<byte[]> answer) {
        calls.add(call);
        Optional<Status> failure = rule.apply(call);
        if (failure.isPresent()) {
            answer.onError(failure.get().asRuntimeException());
        } else {
            ClientCalls.asyncUnaryCall(
                    behind.newCall(method, CallOptions.DEFAULT), call.request().toByteArray(), answer);
        }
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        behind.shutdownNow();
    }
}
