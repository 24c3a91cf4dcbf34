package dev.posthorn.inboxes.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The user of the README has what the inbox needs, which all other tests show, and nothing else. */
@Tag("slow")
class PermissionsTest extends RedisTests {

    @Test
    void theDocumentedUserMayDoNothingElse() {
        assertDenied(commands -> commands.keys("*"));
        assertDenied(RedisCommands::flushall);
        assertDenied(commands -> commands.configGet("*"));
        assertDenied(commands -> commands.persist(mark(UUID.randomUUID())));
        assertDenied(commands -> commands.xadd(prefix + ":evt:x", "a", "b"));
        assertDenied(commands -> commands.publish("c", "m"));
    }

    @Test
    void theDocumentedUserReachesNoKeysOfOthers() {
        assertDenied(commands -> commands.get("somebody-else"));
        assertDenied(commands -> commands.set(prefix + ":other", "x"));
        assertDenied(commands -> commands.eval("return redis.call('GET', 'somebody-else')", ScriptOutputType.VALUE));
    }

    private void assertDenied(Consumer<RedisCommands<String, String>> action) {
        RedisClient client = RedisClient.create(redis.uri(TestRedis.USER, TestRedis.SECRET));
        try (var ours = client.connect()) {
            assertThatThrownBy(() -> action.accept(ours.sync()))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageMatching("(?s).*(NOPERM|permission|can't access).*");
        } finally {
            client.shutdown();
        }
    }
}
