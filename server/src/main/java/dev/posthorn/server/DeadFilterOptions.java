package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.postgres.DeadFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which dead letters. */
final class DeadFilterOptions {

    /** Reads a time such as {@code 2026-03-01T00:00:00Z}, or {@code 2h} for two hours ago. */
    static final class TimeConverter implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            try {
                return Instant.parse(text);
            } catch (DateTimeParseException noTime) {
                return Instant.now().minus(ago(text));
            }
        }

        private static Duration ago(String text) {
            try {
                return new DurationConverter().convert(text);
            } catch (TypeConversionException neither) {
                throw new TypeConversionException(
                        "\"" + text + "\" is not a time. Write 2026-03-01T00:00:00Z, or 2h for two hours ago.");
            }
        }
    }

    @Option(names = "--route", paramLabel = "NAME", description = "What died on the way out, on this route.")
    private @Nullable String route;

    @Option(names = "--consumer", paramLabel = "NAME", description = "What died in this consumer.")
    private @Nullable String consumer;

    @Option(names = "--handler", paramLabel = "NAME", description = "What died in this handler of a consumer.")
    private @Nullable String handler;

    @Option(names = "--domain", paramLabel = "NAME", description = "Events of this domain.")
    private @Nullable String domain;

    @Option(names = "--type", paramLabel = "NAME", description = "Events of this type.")
    private @Nullable String type;

    @Option(names = "--key", paramLabel = "KEY", description = "Events of this key.")
    private @Nullable String key;

    @Option(names = "--tenant", paramLabel = "NAME", description = "Events of this tenant.")
    private @Nullable String tenant;

    @Option(
            names = "--cause",
            paramLabel = "KIND",
            description =
                    "What died for this cause: publish-failed (on a route), processing-failed, rejected, undecodable,"
                            + " sequence-mismatch or payload-retrieval-failed.")
    private @Nullable String cause;

    @Option(
            names = "--fingerprint",
            paramLabel = "TEXT",
            description = "What died for a reason of this kind, as dead list --grouped shows it.")
    private @Nullable String fingerprint;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "What died then or later: a time such as 2026-03-01T00:00:00Z, or 2h for two hours ago.")
    private @Nullable Instant since;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "What died before then.")
    private @Nullable Instant until;

    DeadFilter filter() {
        DeadFilter filter = DeadFilter.all();
        filter = with(filter, route, DeadFilter::route);
        filter = with(filter, consumer, DeadFilter::consumer);
        filter = with(filter, handler, DeadFilter::handler);
        filter = with(filter, domain, DeadFilter::domain);
        filter = with(filter, type, DeadFilter::type);
        filter = with(filter, key, DeadFilter::key);
        filter = with(filter, tenant, DeadFilter::tenant);
        filter = with(filter, cause, DeadFilter::cause);
        filter = with(filter, fingerprint, DeadFilter::fingerprint);
        filter = with(filter, since, DeadFilter::since);
        return with(filter, until, DeadFilter::until);
    }

    /** The same for an API. */
    Ask ask(String... path) {
        return Ask.of(path)
                .with("route", route)
                .with("consumer", consumer)
                .with("handler", handler)
                .with("domain", domain)
                .with("type", type)
                .with("key", key)
                .with("tenant", tenant)
                .with("cause", cause)
                .with("fingerprint", fingerprint)
                .with("from", since)
                .with("to", until);
    }

    /** The same in a body. */
    ObjectNode json() {
        ObjectNode json = Json.object();
        new TreeMap<>(ask().query()).forEach(json::put);
        return json;
    }

    /** Where, in words, for an answer. */
    String place() {
        return route == null ? "" : " on route \"" + route + "\"";
    }

    private static <T> DeadFilter with(
            DeadFilter filter, @Nullable T value, BiFunction<DeadFilter, T, DeadFilter> wish) {
        return value == null ? filter : wish.apply(filter, value);
    }
}
