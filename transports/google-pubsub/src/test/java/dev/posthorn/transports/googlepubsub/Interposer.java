package dev.posthorn.transports.googlepubsub;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stands before the emulator, writes down every call and lets some fail as the test decides. */
final class Interposer implements AutoCloseable {

    /** A call on its way, such as {@code Publish}. */
    record Call(String name, ByteString request) {}

    private final ManagedChannel behind;
    private final Server server;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile Function<Call, Optional<Status>> rule = call -> Optional.empty();
    private volatile Predicate<ReceivedMessage> late = message -> false;
    /** Guards the two below: what was pulled and is not told yet, and the call that waits for it. */
    private final Object lock = new Object();

    private final List<ReceivedMessage> withheld = new ArrayList<>();
    private @Nullable StreamObserver<byte[]> waiting;

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

    /** From now on the answer to a pull lacks such messages, and the next pull waits for {@link #release}. */
    void withholding(Predicate<ReceivedMessage> which) {
        late = which;
    }

    int withheld() {
        synchronized (lock) {
            return withheld.size();
        }
    }

    /** Brings what was withheld, as the answer to the pull that waits. */
    void release() {
        late = message -> false;
        synchronized (lock) {
            if (waiting != null) {
                tell(waiting, withheld);
                withheld.clear();
                waiting = null;
            }
        }
    }

    private static void tell(StreamObserver<byte[]> answer, List<ReceivedMessage> messages) {
        answer.onNext(PullResponse.newBuilder()
                .addAllReceivedMessages(messages)
                .build()
                .toByteArray());
        answer.onCompleted();
    }

    boolean isWaiting() {
        synchronized (lock) {
            return waiting != null;
        }
    }

    private boolean waits(StreamObserver<byte[]> answer) {
        synchronized (lock) {
            if (!withheld.isEmpty()) {
                waiting = answer;
            }
            return !withheld.isEmpty();
        }
    }

    /** The answer to a pull on its way back. */
    private final class Pulled implements StreamObserver<byte[]> {

        private final StreamObserver<byte[]> answer;

        Pulled(StreamObserver<byte[]> answer) {
            this.answer = answer;
        }

        @Override
        public void onNext(byte[] response) {
            try {
                Map<Boolean, List<ReceivedMessage>> parts =
                        PullResponse.parseFrom(response).getReceivedMessagesList().stream()
                                .collect(Collectors.partitioningBy(late));
                synchronized (lock) {
                    withheld.addAll(parts.get(true));
                }
                answer.onNext(PullResponse.newBuilder()
                        .addAllReceivedMessages(parts.get(false))
                        .build()
                        .toByteArray());
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void onError(Throwable failure) {
            answer.onError(failure);
        }

        @Override
        public void onCompleted() {
            answer.onCompleted();
        }
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
        } else if (!call.name().equals("Pull") || !waits(answer)) {
            ClientCalls.asyncUnaryCall(
                    behind.newCall(method, CallOptions.DEFAULT),
                    call.request().toByteArray(),
                    call.name().equals("Pull") ? new Pulled(answer) : answer);
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
