package dev.posthorn.transports.googlepubsub;

import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Subscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What accounts must be allowed, and nothing else: a producer may publish to its topics, a consumer read its own subscriptions.
 *
 * <p>With {@link Provision#OFF} that is all. {@link Provision#VERIFY} must also see, and {@link Provision#CREATE} make, what is
 * needed; better let somebody else do that once.
 */
public final class AccessPolicy {

    private static final String PUBLISHER = "roles/pubsub.publisher";
    private static final String SUBSCRIBER = "roles/pubsub.subscriber";
    private static final String VIEWER = "roles/pubsub.viewer";

    /** What {@link Provision#CREATE} needs besides, on the project; {@code roles/pubsub.editor} would be much more. */
    public static final List<String> PROVISIONING = List.of(
            "pubsub.topics.create",
            "pubsub.topics.get",
            "pubsub.topics.list",
            "pubsub.topics.attachSubscription",
            "pubsub.subscriptions.create",
            "pubsub.subscriptions.get");

    /**
     * One binding.
     *
     * @param kind {@code topic}, {@code subscription} or {@code project}
     * @param resource its name, without the project
     * @param member such as {@code serviceAccount:orders@shop-prod.iam.gserviceaccount.com}
     */
    public record Grant(String kind, String resource, String role, String member) {}

    private final GooglePubSubConfig config;
    private final TopicNames names;

    public AccessPolicy(GooglePubSubConfig config) {
        this.config = config;
        this.names = new TopicNames(config.endpoint().project(), config.names());
    }

    /** Of an account that publishes events of these domains, such as a relay's. */
    public List<Grant> producer(String member, Set<String> domains) {
        List<Grant> grants = new ArrayList<>();
        for (String domain : names.isOneTopic() ? Set.of(TopicNames.ANY) : sorted(domains)) {
            String topic = shortName(names.topicOf(domain));
            grants.add(new Grant("topic", topic, PUBLISHER, member));
            if (config.provision().verifies()) {
                grants.add(new Grant("topic", topic, VIEWER, member));
            }
        }
        return withProvisioning(grants, member);
    }

    /** Of an account that runs members of this subscriber, which names its domains unless there is one topic for all. */
    public List<Grant> consumer(String member, Subscriber subscriber) {
        List<Grant> grants = new ArrayList<>();
        for (String domain : names.domainsOf(subscriber)) {
            String subscription = shortName(names.subscriptionOf(subscriber.name(), domain));
            grants.add(new Grant("subscription", subscription, SUBSCRIBER, member));
            grants.add(new Grant("topic", shortName(names.deadLettersOf(domain)), PUBLISHER, member));
            if (config.provision().verifies()) {
                grants.add(new Grant("subscription", subscription, VIEWER, member));
                grants.add(new Grant("subscription", shortName(names.keeperOf(domain)), VIEWER, member));
                grants.add(new Grant("topic", shortName(names.deadLettersOf(domain)), VIEWER, member));
                grants.add(new Grant("topic", shortName(names.topicOf(domain)), VIEWER, member));
            }
        }
        return withProvisioning(grants, member);
    }

    /** Of Pub/Sub's own account in this project, which moves what was delivered too often to the dead letters. */
    public List<Grant> pubSub(long projectNumber, Subscriber subscriber) {
        String member = "serviceAccount:service-" + projectNumber + "@gcp-sa-pubsub.iam.gserviceaccount.com";
        List<Grant> grants = new ArrayList<>();
        for (String domain : names.domainsOf(subscriber)) {
            grants.add(new Grant("topic", shortName(names.deadLettersOf(domain)), PUBLISHER, member));
            grants.add(new Grant(
                    "subscription", shortName(names.subscriptionOf(subscriber.name(), domain)), SUBSCRIBER, member));
        }
        return grants;
    }

    private List<Grant> withProvisioning(List<Grant> grants, String member) {
        if (config.provision().creates()) {
            String project = config.endpoint().project();
            grants.add(new Grant("project", project, "projects/" + project + "/roles/posthornProvisioner", member));
        }
        return List.copyOf(grants);
    }

    private static List<String> sorted(Set<String> domains) {
        return domains.stream().sorted().toList();
    }

    private static String shortName(String full) {
        return full.substring(full.lastIndexOf('/') + 1);
    }

    /** A script of commands for Google's {@code gcloud}, with the role for provisioning first if it is needed. */
    public String commands(List<Grant> grants) {
        String project = config.endpoint().project();
        StringBuilder script = new StringBuilder();
        if (grants.stream().anyMatch(grant -> grant.kind().equals("project"))) {
            script.append("gcloud iam roles create posthornProvisioner --project=")
                    .append(project)
                    .append(" --permissions=")
                    .append(String.join(",", PROVISIONING))
                    .append('\n');
        }
        return script
                + grants.stream()
                        .map(grant -> command(grant, project))
                        .distinct()
                        .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String command(Grant grant, String project) {
        String binding = " --member=" + grant.member() + " --role=" + grant.role();
        return grant.kind().equals("project")
                ? "gcloud projects add-iam-policy-binding " + project + binding
                : "gcloud pubsub " + grant.kind() + "s add-iam-policy-binding " + grant.resource() + " --project="
                        + project + binding;
    }
}
