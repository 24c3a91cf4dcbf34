package dev.posthorn.examples.transfers;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.DatabaseUrl;
import dev.posthorn.transports.snssqs.SnsSqsConfig;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The design's environment variables: SNS_ARN, PG_DSN, AWS_REGION (us-east-1 if it is missing) and, for a consumer,
 * QUEUE_URL. VISIBILITY_TIMEOUT is in seconds; the design has 60. AWS_ENDPOINT_URL, which Amazon's own clients know, leads
 * to an emulator.
 */
public final class Variables {

    private static final String DEFAULT_REGION = "us-east-1";

    private final Map<String, String> values;

    private Variables(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads them.
     *
     * @throws PosthornException if one is missing, with the names of all that are
     */
    public static Variables of(Map<String, String> environment) {
        List<String> missing = new ArrayList<>();
        for (String name : List.of("SNS_ARN", "PG_DSN")) {
            if (environment.getOrDefault(name, "").isBlank()) {
                missing.add(name);
            }
        }
        if (!missing.isEmpty()) {
            throw new PosthornException("The environment has no " + String.join(" and no ", missing)
                    + ". Set it, as in SNS_ARN=arn:aws:sns:us-east-1:123456789012:events-transfers.fifo and"
                    + " PG_DSN=postgresql://user@host/database.");
        }
        return new Variables(Map.copyOf(environment));
    }

    /** Publishes to the topic, and reads the queue if one is set. Creates nothing. */
    public SnsSqsConfig transport() {
        SnsSqsConfig config = SnsSqsConfig.ofTopic(get("SNS_ARN").orElseThrow());
        String region = config.access().region().id();
        String wanted = get("AWS_REGION").orElse(region.isEmpty() ? DEFAULT_REGION : region);
        if (!wanted.equals(region)) {
            throw new PosthornException("AWS_REGION is " + wanted + ", but the topic of SNS_ARN is in " + region
                    + ". Correct one of them.");
        }
        Optional<String> endpoint = get("AWS_ENDPOINT_URL");
        if (endpoint.isPresent()) {
            config = config.access(config.access().endpoint(URI.create(endpoint.get())));
        }
        config = config.timing(Profile.timing(visibility()));
        Optional<String> queue = get("QUEUE_URL");
        return queue.isPresent() ? config.queue(queue.get()) : config;
    }

    private Duration visibility() {
        Optional<String> seconds = get("VISIBILITY_TIMEOUT");
        try {
            return seconds.isEmpty() ? Profile.VISIBILITY : Duration.ofSeconds(Integer.parseInt(seconds.get()));
        } catch (NumberFormatException noNumber) {
            throw new PosthornException(
                    "VISIBILITY_TIMEOUT is " + seconds.get() + ", but must be a number of seconds.");
        }
    }

    /** Both forms that libpq knows: a URL, or {@code host=… port=… dbname=… user=… password=…}. */
    public PGSimpleDataSource database() {
        String dsn = get("PG_DSN").orElseThrow();
        PGSimpleDataSource source = new PGSimpleDataSource();
        if (dsn.contains("://")) {
            DatabaseUrl url = DatabaseUrl.parse(dsn);
            source.setURL(url.jdbcUrl());
            Properties properties = url.properties(Map.of());
            source.setUser(properties.getProperty("user"));
            source.setPassword(properties.getProperty("password"));
            return source;
        }
        Map<String, String> words = words(dsn);
        source.setServerNames(new String[] {words.getOrDefault("host", "localhost")});
        source.setPortNumbers(new int[] {Integer.parseInt(words.getOrDefault("port", "5432"))});
        source.setDatabaseName(words.getOrDefault("dbname", words.get("user")));
        source.setUser(words.get("user"));
        source.setPassword(words.get("password"));
        return source;
    }

    private static Map<String, String> words(String dsn) {
        Map<String, String> words = new HashMap<>();
        for (String word : dsn.trim().split("\\s+", -1)) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new PosthornException(
                        "PG_DSN is neither a URL nor words like host=… dbname=… user=…: one of its words"
                                + " has no equals sign.");
            }
            words.put(word.substring(0, equals).toLowerCase(Locale.ROOT), word.substring(equals + 1));
        }
        return words;
    }

    private Optional<String> get(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isBlank());
    }
}
