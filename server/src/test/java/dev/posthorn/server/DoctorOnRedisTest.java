package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the doctor says of the Redis of an inbox; the database is not there. */
class DoctorOnRedisTest {

    private static final String NOWHERE = "postgres://u:secret@127.0.0.1:1/none";

    @Test
    void aRedisThatIsAwayIsSerious() {
        Cli away = Cli.run("doctor", "--database-url", NOWHERE, "--redis-inbox", "redis://u:hidden@127.0.0.1:1");

        assertThat(away.code()).isEqualTo(1);
        assertThat(away.out())
                .contains("SERIOUS connection")
                .contains("SERIOUS redis inbox: Redis at 127.0.0.1:1/0 can not be reached")
                .doesNotContain("hidden");
    }

    @Test
    @Tag("slow")
    void evictionIsNoted() {
        assumeTrue(EmbeddedRedis.isInstalled(), "redis-server is not installed on this machine");
        try (EmbeddedRedis redis = EmbeddedRedis.start(Map.of("maxmemory-policy", "allkeys-lru"))) {
            Cli risky = Cli.run(
                    "doctor",
                    "--database-url",
                    NOWHERE,
                    "--redis-inbox",
                    "redis://" + redis.host() + ":" + redis.port());

            assertThat(risky.out())
                    .contains("note    redis inbox: maxmemory-policy is allkeys-lru")
                    .contains("noeviction");
        }
    }
}
