package dev.posthorn.transports.googlepubsub;

import com.google.protobuf.Message;
import dev.posthorn.transport.Pauses;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A connection to Pub/Sub. It connects with the first call, and again when it was lost; a call that finds it lost fails at
 * once. Nothing is ever sent a second time behind the caller's back. Thread-safe.
 */
final class Link implements AutoCloseable {

    /** Larger than any answer: what may come in at once is limited by what was asked for. */
    private static final int LARGEST_ANSWER = 64 << 20;

    /** As often as Google's servers let an open stream be tried; an emulator takes offence. */
    private static final Duration KEEP_ALIVE = Duration.ofMinutes(1);

    private static final Duration KEEP_ALIVE_ANSWER = Duration.ofSeconds(20);
    private static final long CLOSE_SECONDS = 5;

    /** Tells everybody at the start that epoll is there, unless somebody wants it so. Kept, or its level would be lost. */
    private static final Logger CHATTY = Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.TcpMetrics");

    static {
        if (CHATTY.getLevel() == null) {
            CHATTY.setLevel(Level.WARNING);
        }
    }

    private final ManagedChannel channel;
    private final CallOptions options;
    private final Duration patience;
    private final Pauses pauses = pauses();

    Link(Endpoint endpoint, Duration patience, Executor executor) {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget(endpoint.address())
                .executor(executor)
                .offloadExecutor(executor)
                .disableRetry()
                .userAgent("posthorn")
                .maxInboundMessageSize(LARGEST_ANSWER);
        if (endpoint.emulator()) {
            builder.usePlaintext();
        } else {
            builder.keepAliveTime(KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS)
                    .keepAliveTimeout(KEEP_ALIVE_ANSWER.toSeconds(), TimeUnit.SECONDS);
        }
        this.channel = builder.build();
        this.options = endpoint.emulator()
                ? CallOptions.DEFAULT
                : CallOptions.DEFAULT.withCallCredentials(new LazyCredentials(endpoint.credentials()));
        this.patience = patience;
    }

    /** For those who try again and again. */
    static Pauses pauses() {
        return Pauses.scattered();
    }

    /** Answered, or failed with a {@link StatusRuntimeException}, within the patience. */
    <A extends Message, B extends Message> CompletableFuture<B> call(Rpc<A, B> rpc, A request) {
        return call(rpc, request, patience);
    }

    <A extends Message, B extends Message> CompletableFuture<B> call(Rpc<A, B> rpc, A request, Duration within) {
        hurry();
        CompletableFuture<B> answer = new CompletableFuture<>();
        ClientCalls.asyncUnaryCall(
                newCall(rpc, request, options.withDeadlineAfter(within.toNanos(), TimeUnit.NANOSECONDS)),
                request,
                new Answer<>(answer));
        var unused = answer.whenComplete((response, failure) -> remember(failure));
        return answer;
    }

    private void remember(@Nullable Throwable failure) {
        Status.Code code =
                failure == null ? Status.Code.OK : Status.fromThrowable(failure).getCode();
        if (code == Status.Code.UNAVAILABLE) {
            pauses.failed();
        } else if (code == Status.Code.DEADLINE_EXCEEDED) {
            channel.enterIdle(); // whatever swallowed this call would swallow the next one too
        } else {
            pauses.succeeded();
        }
    }

    /** Waits for the answer; throws a {@link StatusRuntimeException}. */
    <A extends Message, B extends Message> B ask(Rpc<A, B> rpc, A request) throws InterruptedException {
        try {
            return call(rpc, request).get();
        } catch (ExecutionException failed) {
            throw Status.fromThrowable(failed).asRuntimeException();
        }
    }

    private <A extends Message, B extends Message> ClientCall<A, B> newCall(
            Rpc<A, B> rpc, A request, CallOptions with) {
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(rpc.headers(request)))
                .newCall(rpc.method(), with);
    }

    /** The library's own pauses grow to two minutes; after ours it tries at once. */
    private void hurry() {
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE && pauses.isOver()) {
            channel.resetConnectBackoff();
        }
    }

    /** Ends everything that is under way. */
    @Override
    public void close() {
        channel.shutdownNow();
        try {
            var unused = channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private record Answer<B>(CompletableFuture<B> future) implements StreamObserver<B> {

        @Override
        public void onNext(B response) {
            future.complete(response);
        }

        @Override
        public void onError(Throwable failure) {
            future.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            if (!future.isDone()) {
                future.completeExceptionally(Status.INTERNAL
                        .withDescription("an answer without content")
                        .asRuntimeException());
            }
        }
    }
}
