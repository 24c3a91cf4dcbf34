package dev.posthorn.benchmarks;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublishResponse;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Topic;
import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transports.googlepubsub.GooglePubSubConfig;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Google Pub/Sub, as an emulator: what it measures is the transport's own work, not Google. */
final class GooglePubSubKind implements BrokerKind {

    private static final String PROJECT = "posthorn-bench";
    private static final int TOGETHER = 100;
    /** Keys take turns, a thousand of them unless told otherwise. */
    private static final int CALLS = 10;

    private static final MethodDescriptor<PublishRequest, PublishResponse> PUBLISH =
            MethodDescriptor.<PublishRequest, PublishResponse>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName("google.pubsub.v1.Publisher/Publish")
                    .setRequestMarshaller(ProtoUtils.marshaller(PublishRequest.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(PublishResponse.getDefaultInstance()))
                    .build();

    private static final MethodDescriptor<Topic, Topic> CREATE = MethodDescriptor.<Topic, Topic>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("google.pubsub.v1.Publisher/CreateTopic")
            .setRequestMarshaller(ProtoUtils.marshaller(Topic.getDefaultInstance()))
            .setResponseMarshaller(ProtoUtils.marshaller(Topic.getDefaultInstance()))
            .build();

    @Override
    public String name() {
        return "google-pubsub";
    }

    @Override
    public double promised() {
        return 0;
    }

    @Override
    public RunningBroker start() {
        EmbeddedPubSub broker = EmbeddedPubSub.start();
        return new RunningBroker() {
            @Override
            public Bus open(String prefix) {
                String address = "pubsub://" + PROJECT + "?emulator=" + broker.address();
                return new GooglePubSubTransport(
                        GooglePubSubConfig.parse(address).prefix(prefix));
            }

            @Override
            public PlainClient client(String prefix) {
                return new Client(broker.address(), prefix + "-plain");
            }

            /** What no subscription is for is gone at once. */
            @Override
            public void clear(String prefix) {}

            @Override
            public void close() {
                broker.close();
            }
        };
    }

    /** A hundred events in a call, and no more calls at once than leave each key with one event on its way. */
    private static final class Client implements PlainClient {

        private final ManagedChannel channel;
        private final String topic;

        Client(String address, String topic) {
            this.channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
            this.topic = "projects/" + PROJECT + "/topics/" + topic;
            var unused = ClientCalls.blockingUnaryCall(
                    channel,
                    CREATE,
                    CallOptions.DEFAULT,
                    Topic.newBuilder().setName(this.topic).build());
        }

        @Override
        public void publish(List<Event> events, Consumer<Event> confirmed) {
            List<Future<?>> answers = new ArrayList<>();
            for (int from = 0; from < events.size(); from += TOGETHER) {
                if (answers.size() >= CALLS) {
                    Answers.await(answers.get(answers.size() - CALLS));
                }
                List<Event> some = events.subList(from, Math.min(events.size(), from + TOGETHER));
                PublishRequest.Builder request = PublishRequest.newBuilder().setTopic(topic);
                some.forEach(event -> request.addMessages(PubsubMessage.newBuilder()
                        .setData(ByteString.copyFrom(event.payloadBytes()))
                        .putAllAttributes(EventMessage.headersOf(event))));
                answers.add(send(request.build(), () -> some.forEach(confirmed)));
            }
            answers.forEach(Answers::await);
        }

        private Future<?> send(PublishRequest request, Runnable confirmed) {
            CompletableFuture<PublishResponse> answer = new CompletableFuture<>();
            ClientCalls.asyncUnaryCall(
                    channel.newCall(PUBLISH, CallOptions.DEFAULT), request, new StreamObserver<PublishResponse>() {
                        @Override
                        public void onNext(PublishResponse response) {
                            answer.complete(response);
                        }

                        @Override
                        public void onError(Throwable failure) {
                            answer.completeExceptionally(failure);
                        }

                        @Override
                        public void onCompleted() {}
                    });
            return answer.thenRun(confirmed);
        }

        @Override
        public void close() {
            channel.shutdownNow();
        }
    }
}
