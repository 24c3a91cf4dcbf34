package dev.posthorn.operations;

import java.util.List;

/** What is known of the whole log, all processes together, by the name under which it is shown. Each is a gauge. */
public enum Metric {
    BACKLOG(
            "event_outbox_backlog",
            "Events that wait: neither published nor dead nor scheduled. Exact to 10000, then an estimate.",
            "route"),
    BACKLOG_ESTIMATED("event_outbox_backlog_estimated", "1 if the backlog is an estimate.", "route"),
    PUBLISH_LAG("event_publish_lag_seconds", "Age of the oldest event that its lane has not passed yet.", "route"),
    OLDEST_UNPUBLISHED(
            "event_oldest_unpublished_seconds",
            "Age of the oldest event that waits, those behind a blocked key included.",
            "route"),
    CHECKPOINT_AGE(
            "posthorn_checkpoint_age_seconds", "How long a lane has not moved although events wait in it.", "route"),
    SCHEDULED(
            "posthorn_scheduled_events",
            "Events that asked for a later time. At most about 10000 are counted.",
            "route"),
    PAUSED("posthorn_route_paused", "1 if someone paused the route.", "route"),
    LANES("posthorn_lanes", "Lanes of the route.", "route"),
    LANES_HELD("posthorn_lanes_held", "Lanes of the route that any relay holds.", "route"),
    LANE_CHANGES("posthorn_lane_changes", "How often lanes changed hands since the route was created.", "route"),
    BLOCKED_KEYS("posthorn_blocked_keys", "Keys that wait for their head. At most 10000 are counted.", "route"),
    HELD_KEYS("posthorn_held_keys", "Keys that wait for an operator.", "route"),
    DEAD_LETTERS("dead_letter_count", "Open dead letters. At most 10000 are counted.", "station", "name"),
    MAX_ATTEMPTS("event_max_attempts_count", "Open dead letters given up after more than one attempt.", "route"),
    CONSUMER_LAG(
            "event_consumer_lag_seconds",
            "From emit to handled, the 99th percentile of the slowest member that reports, in any process. If all are silent,"
                    + " it grows.",
            "consumer"),
    CONSUMER_MEMBERS("posthorn_consumer_members", "Members that report.", "consumer"),
    CONSUMER_SILENT(
            "posthorn_consumer_members_silent", "Members that stopped reporting without signing off.", "consumer"),
    INBOX_HANDLED("event_inbox_handled", "Events handled by the members that are there, since each began.", "consumer"),
    INBOX_DUPLICATES(
            "event_inbox_duplicates",
            "Events that had been handled before and were skipped, as with handled.",
            "consumer"),
    UNHANDLED(
            "posthorn_consumer_unhandled_events",
            "Events that no handler of any member of the consumer wanted, since the first of the type.",
            "consumer",
            "type"),
    HANDED_OVER_WAITING(
            "posthorn_consumer_handed_over_waiting",
            "Events that a member of the consumer left to another one and that wait.",
            "consumer"),
    REPLAYS_RUNNING("posthorn_replays_running", "Replays that run.", "kind", "target"),
    REPLAYS_FAILED("posthorn_replays_failed", "Replays that failed and wait for someone.", "kind", "target"),
    REPLAY_DONE(
            "posthorn_replay_events_done", "Events that replays which are not over have published.", "kind", "target"),
    REPLAY_REMAINING(
            "posthorn_replay_events_remaining",
            "Events that they have yet to publish, where that is known.",
            "kind",
            "target"),
    XMIN_AGE(
            "posthorn_xmin_age",
            "Transactions begun since the oldest one that is still open; vacuum waits for it, and so do events that it emitted."),
    XMIN_HELD(
            "posthorn_xmin_held_seconds",
            "Seconds for which the oldest open transaction that has written has been seen open; events that it emitted wait.");

    private final String text;
    private final String help;
    /** With a comma between, for an enum holds nothing that can change. */
    private final String labels;

    Metric(String text, String help, String... labels) {
        this.text = text;
        this.help = help;
        this.labels = String.join(",", labels);
    }

    /** As a scrape shows it. */
    public String text() {
        return text;
    }

    public String help() {
        return help;
    }

    List<String> labels() {
        return labels.isEmpty() ? List.of() : List.of(labels.split(",", -1));
    }

    /** One value of it, with a value for each of its labels. */
    public Sample of(double value, String... labelled) {
        return new Sample(this, List.of(labelled), value);
    }

    /** The same with a whole number. */
    public Sample of(long value, String... labelled) {
        return of((double) value, labelled);
    }
}
