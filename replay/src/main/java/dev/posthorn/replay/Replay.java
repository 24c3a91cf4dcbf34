package dev.posthorn.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/** Events that are published again: which, where to, and how far that has come. */
public record Replay(UUID id, Request request, State state, Progress progress, History history) {

    /** The header that marks what a replay publishes; its value is the id of the replay. */
    public static final String HEADER = "replay";

    /** What becomes of it. */
    public enum State {
        RUNNING,
        DONE,
        CANCELLED,
        /** An event was not accepted; nothing behind it was skipped, and it can be resumed. */
        FAILED
    }

    /**
     * What was asked for.
     *
     * @param rate the most events in a second; empty for as many as go
     */
    public record Request(
            Selection selection, Target target, Source source, OptionalInt rate, Optional<String> reason) {

        /** All of the log, as fast as it goes. */
        public static Request into(Target target) {
            return new Request(Selection.ALL, target, Source.log(), OptionalInt.empty(), Optional.empty());
        }

        public Request {
            if (rate.isPresent() && rate.getAsInt() < 1) {
                throw new IllegalArgumentException(
                        "The rate is " + rate.getAsInt() + " events a second; it must be at least 1.");
            }
        }

        public Request selecting(Selection chosen) {
            return new Request(chosen, target, source, rate, reason);
        }

        public Request from(Source chosen) {
            return new Request(selection, target, chosen, rate, reason);
        }

        public Request atRate(int events) {
            return new Request(selection, target, source, OptionalInt.of(events), reason);
        }

        public Request because(String why) {
            return new Request(selection, target, source, rate, Optional.of(why));
        }
    }

    /**
     * How far it has come, by its newest checkpoint.
     *
     * @param position what is at or below this seq is done
     * @param end the seq of the last event that can be part of it
     * @param done how many events were published; some of them twice after a crash, counted once
     * @param of how many it will be; empty if they were too many to count
     */
    public record Progress(long position, long end, long done, OptionalLong of) {}

    /**
     * Who started it and when, and what went wrong.
     *
     * @param changedAt when its newest checkpoint was written, or its state changed
     * @param fault why it is FAILED
     */
    public record History(String who, Instant startedAt, Instant changedAt, Optional<String> fault) {}

    /** Events in a second, on the average from its start to its newest checkpoint. */
    public double perSecond() {
        double seconds =
                Duration.between(history.startedAt(), history.changedAt()).toMillis() / 1000.0;
        return seconds <= 0 ? 0 : progress.done() / seconds;
    }

    /** When it will end if it goes on as it went; empty if that can not be told, or it does not run. */
    public Optional<Instant> expectedEnd() {
        double rate = perSecond();
        if (state != State.RUNNING || progress.of().isEmpty() || rate <= 0) {
            return Optional.empty();
        }
        long left = Math.max(0, progress.of().getAsLong() - progress.done());
        return Optional.of(history.changedAt().plusMillis((long) (left / rate * 1000)));
    }
}
