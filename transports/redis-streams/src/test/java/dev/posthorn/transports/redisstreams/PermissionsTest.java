package dev.posthorn.transports.redisstreams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscription;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The user of the README has what the transport needs, which all other tests show, and nothing else. */
@Tag("slow")
class PermissionsTest extends RedisTests {

    @Test
    void theDocumentedUserMayDoNothingElse() {
        assertDenied(commands -> commands.keys("*"));
        assertDenied(RedisCommands::flushall);
        assertDenied(commands -> commands.configGet("*"));
        assertDenied(commands -> commands.aclSetuser("posthorn", AclSetuserArgs.Builder.on()));
        assertDenied(commands -> commands.xgroupDestroy(prefix + "-events-orders", "g"));
        assertDenied(commands -> commands.xdel(prefix + "-events-orders", "0-1"));
        assertDenied(commands -> commands.publish("c", "m"));
    }

    @Test
    void theDocumentedUserReachesNoKeysOfOthers() {
        assertDenied(commands -> commands.get("somebody-else"));
        assertDenied(commands -> commands.xadd("somebody-else", "a", "b"));
        assertDenied(commands ->
                commands.eval("return redis.call('GET', 'somebody-else')", io.lettuce.core.ScriptOutputType.VALUE));
    }

    @Test
    void aPublisherThatMayNotAddIsUnavailable() {
        RedisStreamsTransport transport = open(as("mute", "-xadd"));

        Outcome outcome = outcome(transport, event("k"));

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class).asString().contains("NOPERM");
    }

    @Test
    void anEventWhoseStreamCanNotBeAnnouncedIsNotAccepted() {
        RedisStreamsTransport transport = open(as("shy", "-hset"));

        Outcome outcome = outcome(transport, event("k"));

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class).asString().contains(prefix + "-streams");
    }

    @Test
    void aSubscriberThatMayNotReadSaysSo() {
        RedisStreamsTransport transport = open(as("deaf", "-xgroup"));

        Subscription subscription = transport.subscribe(BILLING, new Inbound());

        assertThat(subscription.status().trouble())
                .hasValueSatisfying(trouble -> assertThat(trouble).contains("NOPERM"));
    }

    @Test
    void aPublisherNeedsLittleMoreThanToAdd() {
        setUser("publisher", "resetkeys ~t* -@all +xadd +hset");
        RedisStreamsTransport transport = open(single(redis.uri("publisher", TestRedis.SECRET)));

        publish(transport, events(10));
    }

    private RedisStreamsConfig as(String user, String less) {
        setUser(user, TestRedis.documentedRules() + " " + less);
        return single(redis.uri(user, TestRedis.SECRET));
    }

    private RedisStreamsConfig single(io.lettuce.core.RedisURI uri) {
        RedisStreamsConfig config = single();
        return new RedisStreamsConfig(
                uri,
                config.client(),
                config.names(),
                config.provision(),
                config.start(),
                1,
                config.maxMessageBytes(),
                config.timing());
    }

    private void setUser(String user, String rules) {
        CommandArgs<String, byte[]> arguments = new CommandArgs<>(connection.getCodec())
                .add("SETUSER")
                .add(user)
                .add("on")
                .add(">" + TestRedis.SECRET);
        List.of(rules.split(" ", -1)).forEach(arguments::add);
        admin.dispatch(CommandType.ACL, new StatusOutput<>(connection.getCodec()), arguments);
    }

    private void assertDenied(Consumer<RedisCommands<String, String>> action) {
        RedisClient client = RedisClient.create(redis.uri(TestRedis.USER, TestRedis.SECRET));
        try (var ours = client.connect(StringCodec.UTF8)) {
            assertThatThrownBy(() -> action.accept(ours.sync()))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageMatching("(?s).*(NOPERM|permission|can't access).*");
        } finally {
            client.shutdown();
        }
    }
}
