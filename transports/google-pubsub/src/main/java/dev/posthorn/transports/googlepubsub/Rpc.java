package dev.posthorn.transports.googlepubsub;

import com.google.protobuf.Empty;
import com.google.protobuf.Message;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsResponse;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.ListTopicsResponse;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublishResponse;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * The calls of Pub/Sub that are used, and the resource that each is about.
 *
 * @param field what the resource is called in the request; Google routes by it
 */
record Rpc<A extends Message, B extends Message>(
        MethodDescriptor<A, B> method, String field, Function<A, String> resource) {

    private static final String PUBLISHER = "google.pubsub.v1.Publisher";
    private static final String SUBSCRIBER = "google.pubsub.v1.Subscriber";
    private static final Metadata.Key<String> ROUTE =
            Metadata.Key.of("x-goog-request-params", Metadata.ASCII_STRING_MARSHALLER);

    static final Rpc<PublishRequest, PublishResponse> PUBLISH = new Rpc<>(
            unary(PUBLISHER, "Publish", PublishRequest.getDefaultInstance(), PublishResponse.getDefaultInstance()),
            "topic",
            PublishRequest::getTopic);

    static final Rpc<GetTopicRequest, Topic> GET_TOPIC = new Rpc<>(
            unary(PUBLISHER, "GetTopic", GetTopicRequest.getDefaultInstance(), Topic.getDefaultInstance()),
            "topic",
            GetTopicRequest::getTopic);

    static final Rpc<Topic, Topic> CREATE_TOPIC = new Rpc<>(
            unary(PUBLISHER, "CreateTopic", Topic.getDefaultInstance(), Topic.getDefaultInstance()),
            "name",
            Topic::getName);

    static final Rpc<ListTopicsRequest, ListTopicsResponse> LIST_TOPICS = new Rpc<>(
            unary(
                    PUBLISHER,
                    "ListTopics",
                    ListTopicsRequest.getDefaultInstance(),
                    ListTopicsResponse.getDefaultInstance()),
            "project",
            ListTopicsRequest::getProject);

    static final Rpc<ListTopicSubscriptionsRequest, ListTopicSubscriptionsResponse> LIST_SUBSCRIPTIONS = new Rpc<>(
            unary(
                    PUBLISHER,
                    "ListTopicSubscriptions",
                    ListTopicSubscriptionsRequest.getDefaultInstance(),
                    ListTopicSubscriptionsResponse.getDefaultInstance()),
            "topic",
            ListTopicSubscriptionsRequest::getTopic);

    static final Rpc<GetSubscriptionRequest, Subscription> GET_SUBSCRIPTION = new Rpc<>(
            unary(
                    SUBSCRIBER,
                    "GetSubscription",
                    GetSubscriptionRequest.getDefaultInstance(),
                    Subscription.getDefaultInstance()),
            "subscription",
            GetSubscriptionRequest::getSubscription);

    static final Rpc<Subscription, Subscription> CREATE_SUBSCRIPTION = new Rpc<>(
            unary(
                    SUBSCRIBER,
                    "CreateSubscription",
                    Subscription.getDefaultInstance(),
                    Subscription.getDefaultInstance()),
            "name",
            Subscription::getName);

    static final Rpc<AcknowledgeRequest, Empty> ACKNOWLEDGE = new Rpc<>(
            unary(SUBSCRIBER, "Acknowledge", AcknowledgeRequest.getDefaultInstance(), Empty.getDefaultInstance()),
            "subscription",
            AcknowledgeRequest::getSubscription);

    static final Rpc<ModifyAckDeadlineRequest, Empty> MODIFY_ACK_DEADLINE = new Rpc<>(
            unary(
                    SUBSCRIBER,
                    "ModifyAckDeadline",
                    ModifyAckDeadlineRequest.getDefaultInstance(),
                    Empty.getDefaultInstance()),
            "subscription",
            ModifyAckDeadlineRequest::getSubscription);

    static final Rpc<PullRequest, PullResponse> PULL = new Rpc<>(
            unary(SUBSCRIBER, "Pull", PullRequest.getDefaultInstance(), PullResponse.getDefaultInstance()),
            "subscription",
            PullRequest::getSubscription);

    private static <A extends Message, B extends Message> MethodDescriptor<A, B> unary(
            String service, String name, A request, B response) {
        return MethodDescriptor.<A, B>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .setRequestMarshaller(ProtoUtils.marshaller(request))
                .setResponseMarshaller(ProtoUtils.marshaller(response))
                .build();
    }

    /** What Google's front ends read to bring the call to where the resource lives. */
    Metadata headers(A request) {
        Metadata headers = new Metadata();
        headers.put(ROUTE, field + "=" + URLEncoder.encode(resource.apply(request), StandardCharsets.UTF_8));
        return headers;
    }
}
