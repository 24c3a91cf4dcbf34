package dev.posthorn.spring;

import dev.posthorn.postgres.InboxRetention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is removed when.
 *
 * @param prune Whether this application takes part in removing what is older, one process at a time.
 * @param every How often it looks for what may go.
 * @param log How long an event is kept after every live route has published it.
 * @param inbox How long consumers know what they handled. Too low: what comes again later is handled again.
 * @param deadLetters How long dead letters of consumers are kept. Left out: for ever.
 */
@ConfigurationProperties("posthorn.retention")
record PosthornRetentionProperties(
        @DefaultValue("true") boolean prune,
        @DefaultValue("10m") Duration every,
        @DefaultValue("30d") Duration log,
        @DefaultValue("30d") Duration inbox,
        @Nullable Duration deadLetters) {

    private static final Duration MINUTES = Duration.ofMinutes(10);
    private static final Duration DAYS = Duration.ofDays(30);

    void check(List<String> faults) {
        PropertyReader read = new PropertyReader("posthorn.retention", faults);
        read.atLeast("every", Duration.ofMillis(1), every);
        read.atLeast("log", Duration.ZERO, log);
        read.atLeast("inbox", Duration.ZERO, inbox);
        if (deadLetters != null) {
            read.atLeast("dead-letters", Duration.ZERO, deadLetters);
        }
    }

    /** These, or all defaults if something is wrong, which {@link #check} names. */
    PosthornRetentionProperties usable() {
        List<String> faults = new ArrayList<>();
        check(faults);
        return faults.isEmpty() ? this : new PosthornRetentionProperties(prune, MINUTES, DAYS, DAYS, null);
    }

    InboxRetention ofInbox() {
        return new InboxRetention(inbox, Optional.ofNullable(deadLetters), Map.of());
    }
}
