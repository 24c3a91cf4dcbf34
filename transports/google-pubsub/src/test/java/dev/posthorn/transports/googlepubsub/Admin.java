package dev.posthorn.transports.googlepubsub;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.DeleteSubscriptionRequest;
import com.google.pubsub.v1.DeleteTopicRequest;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Somebody else at the emulator, who speaks to it without the transport. */
final class Admin implements AutoCloseable {

    private static final String SUBSCRIBER = "google.pubsub.v1.Subscriber/";
    private static final String PUBLISHER = "google.pubsub.v1.Publisher/";

    private final ManagedChannel channel;
    private final Map<String, List<PubsubMessage>> kept = new ConcurrentHashMap<>();

    Admin(String address) {
        this.channel = NettyChannelBuilder.forTarget(address)
                .usePlaintext()
                .maxInboundMessageSize(64 << 20)
                .build();
    }

    private <A extends com.google.protobuf.Message, B extends com.google.protobuf.Message> B call(
            String method, A request, B answer) {
        MethodDescriptor<A, B> descriptor = MethodDescriptor.<A, B>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(method)
                .setRequestMarshaller(ProtoUtils.marshaller(sampleOf(request)))
                .setResponseMarshaller(ProtoUtils.marshaller(answer))
                .build();
        return ClientCalls.blockingUnaryCall(
                channel, descriptor, CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS), request);
    }

    @SuppressWarnings("unchecked")
    private static <A extends com.google.protobuf.Message> A sampleOf(A request) {
        return (A) request.getDefaultInstanceForType();
    }

    static String topic(String name) {
        return "projects/" + TestPubSub.PROJECT + "/topics/" + name;
    }

    static String subscription(String name) {
        return "projects/" + TestPubSub.PROJECT + "/subscriptions/" + name;
    }

    String publish(String topic, PubsubMessage message) {
        return ClientCalls.blockingUnaryCall(
                        channel,
                        Rpc.PUBLISH.method(),
                        CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS),
                        PublishRequest.newBuilder()
                                .setTopic(topic(topic))
                                .addMessages(message)
                                .build())
                .getMessageIds(0);
    }

    void createTopic(String name) {
        var unused = call(
                PUBLISHER + "CreateTopic",
                Topic.newBuilder().setName(topic(name)).build(),
                Topic.getDefaultInstance());
    }

    void deleteTopic(String name) {
        var unused = call(
                PUBLISHER + "DeleteTopic",
                DeleteTopicRequest.newBuilder().setTopic(topic(name)).build(),
                Empty.getDefaultInstance());
    }

    boolean hasTopic(String name) {
        try {
            var unused = call(
                    PUBLISHER + "GetTopic",
                    GetTopicRequest.newBuilder().setTopic(topic(name)).build(),
                    Topic.getDefaultInstance());
            return true;
        } catch (StatusRuntimeException missing) {
            if (missing.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return false;
            }
            throw missing;
        }
    }

    List<String> topics() {
        return call(
                        PUBLISHER + "ListTopics",
                        ListTopicsRequest.newBuilder()
                                .setProject("projects/" + TestPubSub.PROJECT)
                                .build(),
                        com.google.pubsub.v1.ListTopicsResponse.getDefaultInstance())
                .getTopicsList()
                .stream()
                .map(topic -> topic.getName().substring(topic.getName().lastIndexOf('/') + 1))
                .toList();
    }

    Subscription create(Subscription wanted) {
        return call(SUBSCRIBER + "CreateSubscription", wanted, Subscription.getDefaultInstance());
    }

    Subscription find(String name) {
        return call(
                SUBSCRIBER + "GetSubscription",
                GetSubscriptionRequest.newBuilder()
                        .setSubscription(subscription(name))
                        .build(),
                Subscription.getDefaultInstance());
    }

    void deleteSubscription(String name) {
        var unused = call(
                SUBSCRIBER + "DeleteSubscription",
                DeleteSubscriptionRequest.newBuilder()
                        .setSubscription(subscription(name))
                        .build(),
                Empty.getDefaultInstance());
    }

    /** Takes what a subscription has now, and acknowledges it. */
    List<ReceivedMessage> take(String name) {
        List<ReceivedMessage> taken = pull(name);
        if (!taken.isEmpty()) {
            var unused = call(
                    SUBSCRIBER + "Acknowledge",
                    AcknowledgeRequest.newBuilder()
                            .setSubscription(subscription(name))
                            .addAllAckIds(taken.stream()
                                    .map(ReceivedMessage::getAckId)
                                    .toList())
                            .build(),
                    Empty.getDefaultInstance());
        }
        return taken;
    }

    /** Takes what a subscription has now, gives it back unhandled, and tells how many that were. */
    int refuse(String name) {
        List<ReceivedMessage> taken = pull(name);
        if (!taken.isEmpty()) {
            var unused = call(
                    SUBSCRIBER + "ModifyAckDeadline",
                    ModifyAckDeadlineRequest.newBuilder()
                            .setSubscription(subscription(name))
                            .addAllAckIds(taken.stream()
                                    .map(ReceivedMessage::getAckId)
                                    .toList())
                            .build(),
                    Empty.getDefaultInstance());
        }
        return taken.size();
    }

    private List<ReceivedMessage> pull(String name) {
        @SuppressWarnings("deprecation") // there is no other way to ask whether there is nothing
        PullRequest request = PullRequest.newBuilder()
                .setSubscription(subscription(name))
                .setMaxMessages(1_000)
                .setReturnImmediately(true)
                .build();
        return call(SUBSCRIBER + "Pull", request, PullResponse.getDefaultInstance())
                .getReceivedMessagesList();
    }

    /** All that a subscription ever had for this admin. */
    List<PubsubMessage> kept(String name) {
        List<PubsubMessage> all = kept.computeIfAbsent(name, any -> new ArrayList<>());
        try {
            take(name).forEach(received -> all.add(received.getMessage()));
        } catch (StatusRuntimeException missing) {
            if (missing.getStatus().getCode() != Status.Code.NOT_FOUND) {
                throw missing;
            }
        }
        return List.copyOf(all);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
