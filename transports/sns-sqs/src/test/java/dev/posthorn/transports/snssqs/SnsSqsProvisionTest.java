package dev.posthorn.transports.snssqs;

import dev.posthorn.testkit.ProvisionContract;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Provisioning;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import software.amazon.awssdk.services.sns.model.Topic;

@Tag("slow")
class SnsSqsProvisionTest extends ProvisionContract {

    private static TestSnsSqs broker;

    private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void start() {
        broker = TestSnsSqs.start();
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    @Override
    protected Bus open(Provisioning provisioning) {
        SnsSqsConfig config = broker.config(prefix);
        return new SnsSqsTransport(
                provisioning.creates()
                        ? config.provision(provisioning)
                        : config.access(config.access().account(account())).provision(provisioning));
    }

    private static String account() {
        return broker.admin()
                .sns()
                .createTopic(request -> request.name("t-account"))
                .topicArn()
                .split(":", -1)[4];
    }

    @Override
    protected void remove(DestinationKind kind, String name) {
        if (kind == DestinationKind.QUEUE) {
            String url = broker.admin()
                    .sqs()
                    .getQueueUrl(request -> request.queueName(name))
                    .queueUrl();
            broker.admin().sqs().deleteQueue(request -> request.queueUrl(url));
        } else {
            broker.admin().sns().listTopicsPaginator().topics().stream()
                    .map(Topic::topicArn)
                    .filter(arn -> arn.endsWith(":" + name))
                    .forEach(arn -> broker.admin().sns().deleteTopic(request -> request.topicArn(arn)));
        }
    }

    @Override
    protected DestinationKind ofSubscribers() {
        return DestinationKind.QUEUE;
    }
}
