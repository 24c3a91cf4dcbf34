package dev.posthorn.inboxes.redis;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A private Redis whose user for the inbox may do what the README says and nothing else. */
record TestRedis(EmbeddedRedis server, RedisClient client) implements AutoCloseable {

    static final String USER = "inbox";
    static final String SECRET = "s3cret-of-the-test";

    static TestRedis start() {
        return start(Map.of());
    }

    static TestRedis start(Map<String, String> settings) {
        if (!EmbeddedRedis.isInstalled()) {
            String why = "redis-server is not installed on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("Nothing is tested with Redis: " + why);
            Assumptions.abort(why);
        }
        Map<String, String> all = new HashMap<>(settings);
        all.put("user", USER + " on >" + SECRET + " " + documentedRules());
        return new TestRedis(EmbeddedRedis.start(all), RedisClient.create());
    }

    /** Tests have prefixes that begin with t. */
    static String documentedRules() {
        String command = "ACL SETUSER inbox on >SECRET ";
        try {
            return Files.readString(Path.of("README.md"))
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith(command))
                    .findFirst()
                    .orElseThrow()
                    .substring(command.length())
                    .replace("~posthorn:evt:*", "~t*:evt:*");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RedisURI uri(String user, String password) {
        return RedisURI.builder()
                .withHost(server.host())
                .withPort(server.port())
                .withAuthentication(user, password.toCharArray())
                .build();
    }

    RedisInboxConfig config(String prefix) {
        return RedisInboxConfig.at(uri(USER, SECRET)).prefix(prefix);
    }

    /** As somebody who may do everything. The caller closes it. */
    StatefulRedisConnection<String, String> admin() {
        return client.connect(RedisURI.create(server.host(), server.port()));
    }

    @Override
    public void close() {
        client.shutdown();
        server.close();
    }
}
