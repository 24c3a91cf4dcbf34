package dev.posthorn.transports.redisstreams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.transport.Outcome;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisReadOnlyException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class RepliesTest {

    @Test
    void aServerThatStartsFailsOverOrIsFullIsUnavailable() {
        List<String> replies = List.of(
                "LOADING Redis is loading the dataset in memory",
                "MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk",
                "CLUSTERDOWN The cluster is down",
                "READONLY You can't write against a read only replica.",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "NOREPLICAS Not enough good replicas to write.",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "MOVED 3999 127.0.0.1:6381",
                "ASK 3999 127.0.0.1:6381",
                "NOAUTH Authentication required.",
                "WRONGPASS invalid username-password pair or user is disabled.",
                "NOPERM this user has no permissions to run the 'xadd' command",
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                "INPROG Failover already in progress",
                "NOQUORUM no quorum",
                "ERR unknown command 'XADD', with args beginning with: ",
                "ERR max number of clients reached",
                "ERR operation not permitted",
                "ERR The stream has exhausted the last possible ID, unable to add more items",
                "ERR upstream failure");

        assertThat(replies)
                .allSatisfy(reply -> assertThat(of(new RedisCommandExecutionException(reply)))
                        .isInstanceOf(Outcome.Unavailable.class));
    }

    @Test
    void kindsOfErrorsThatTheLibraryHasClassesForAreUnavailableToo() {
        List<RedisException> failures = List.of(
                new RedisLoadingException("LOADING Redis is loading the dataset in memory"),
                new RedisReadOnlyException("READONLY You can't write against a read only replica."),
                new RedisBusyException("BUSY Redis is busy running a script."),
                new RedisNoScriptException("NOSCRIPT No matching script."));

        assertThat(failures).allSatisfy(failure -> assertThat(of(failure)).isInstanceOf(Outcome.Unavailable.class));
    }

    @Test
    void aConnectionThatIsLostIsUnavailable() {
        List<Throwable> failures = List.of(
                new RedisConnectionException("Connection closed prematurely"),
                new RedisException("Currently not connected. Commands are rejected."),
                new RedisCommandTimeoutException("Command timed out"),
                new CompletionException(new IOException("Connection reset by peer")));

        assertThat(failures).allSatisfy(failure -> assertThat(of(failure)).isInstanceOf(Outcome.Unavailable.class));
    }

    @Test
    void onlyAValueThatIsTooLargeIsRefused() {
        List<String> replies = List.of(
                "ERR string exceeds maximum allowed size (proto-max-bulk-len)",
                "ERR Element is too large to be stored",
                "ERR Protocol error: invalid bulk length");

        assertThat(replies)
                .allSatisfy(reply -> assertThat(of(new RedisCommandExecutionException(reply)))
                        .isInstanceOf(Outcome.Refused.class));
    }

    @Test
    void anErrorThatNobodyKnowsIsTheEventsFaultOnlyWhileOthersGoThrough() {
        assertThat(of(new RedisCommandExecutionException("ERR something new"))).isInstanceOf(Outcome.Unknown.class);
    }

    private static Outcome of(Throwable failure) {
        return Replies.outcomeOf(failure, "shop-events-orders");
    }
}
