package dev.posthorn.transports.snssqs;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Pauses;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sns.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;
import software.amazon.awssdk.services.sns.model.PublishBatchResponse;
import software.amazon.awssdk.services.sns.model.PublishBatchResultEntry;

/**
 * Sends up to ten events of different keys in a call, and several calls at once. The next event of a key is sent when the one
 * before it was accepted; if it was not, the others of that run are settled unsent.
 */
final class SnsPublisher implements Publisher {

    private static final String CLOSED = "the SNS publisher is closed";
    private static final Outcome BEHIND = Outcome.failed("an event of its key before it did not go through");
    private static final long LONGEST_CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int LONGEST_RUN = 10;

    /** Whether a topic can be reached, and if not, why. */
    private static final class Gate {
        private final Pauses pauses = Pauses.scattered();
        private volatile String trouble = "";
        private volatile long answeredAt = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

        void answered() {
            answeredAt = System.nanoTime();
            pauses.succeeded();
        }

        void close(String why) {
            trouble = why;
            pauses.failedTogether();
        }
    }

    private final SnsSqsConfig config;
    private final Duration patience;
    private final Clients clients;
    private final Topics topics;
    private final Outbound outbound;
    private final ExecutorService senders;
    private final Map<String, Gate> gates = new ConcurrentHashMap<>();
    private volatile boolean closed;

    SnsPublisher(SnsSqsConfig config) {
        this.config = config;
        this.clients = new Clients(config, config.limits().calls() + 1);
        this.topics = new Topics(config, clients);
        this.patience = config.timing().answer();
        this.outbound = new Outbound(config.limits().calls(), patience.toNanos());
        this.senders =
                Threads.fleeting("posthorn-sns-publisher", config.limits().calls());
    }

    @Override
    public int longestRun() {
        return LONGEST_RUN;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        Object run = new Object();
        outbound.add(publications.stream()
                .map(publication -> new Parcel(publication, config.names(), run))
                .toList());
        pump();
        if (closed) {
            giveUpWaiting();
        }
    }

    /** Starts as many calls as there may be. */
    private void pump() {
        for (List<Parcel> batch = next(); !batch.isEmpty(); batch = next()) {
            List<Parcel> taken = batch;
            try {
                senders.execute(() -> run(taken));
            } catch (RejectedExecutionException justClosed) {
                settle(taken, Outcome.unavailable(CLOSED));
                outbound.callEnded();
            }
        }
    }

    private List<Parcel> next() {
        return closed ? List.of() : outbound.take();
    }

    private void run(List<Parcel> batch) {
        try {
            send(batch);
        } catch (RuntimeException | Error unexpected) { // or its keys would wait for ever
            settle(batch, Outcome.unknown(Outcome.reasonOf(unexpected)));
            throw unexpected;
        } finally {
            outbound.callEnded();
            pump();
        }
    }

    private void send(List<Parcel> batch) {
        Parcel first = batch.get(0);
        if (first.refusal != null) {
            batch.forEach(parcel -> settle(parcel, parcel.refusal == null ? BEHIND : parcel.refusal));
            return;
        }
        Gate gate = gates.computeIfAbsent(first.topic, any -> new Gate());
        if (gate.pauses.isOver()) {
            call(batch, gate);
        } else {
            settle(batch, Outcome.unavailable(gate.trouble));
        }
    }

    private Outcome unsent() {
        return Outcome.unavailable(
                "it was not sent, because calls to SNS did not end within " + patience.toMillis() + " ms");
    }

    private void call(List<Parcel> batch, Gate gate) {
        String topic = batch.get(0).topic;
        List<PublishBatchRequestEntry> entries = IntStream.range(0, batch.size())
                .mapToObj(i -> batch.get(i).entry(Integer.toString(i)))
                .toList();
        String address;
        try {
            address = topics.addressOf(topic);
        } catch (RuntimeException failure) { // whatever it is, nothing was sent
            gate.close(reason(topic, failure));
            settle(batch, Outcome.unavailable(gate.trouble));
            return;
        }
        long sentAt = System.nanoTime();
        batch.forEach(parcel -> parcel.sent(patience.toNanos()));
        PublishBatchResponse response;
        try {
            response = clients.sns()
                    .publishBatch(request -> request.topicArn(address)
                            .publishBatchRequestEntries(entries)
                            .overrideConfiguration(options -> options.apiCallTimeout(patience)));
        } catch (RuntimeException failure) {
            failed(batch, gate, failure, sentAt);
            return;
        }
        gate.answered();
        answered(batch, response);
    }

    private void failed(List<Parcel> batch, Gate gate, RuntimeException failure, long sentAt) {
        if (Failures.isOfTheMessage(failure) && batch.size() > 1) {
            batch.forEach(parcel -> send(List.of(parcel))); // which one it is, is told when each is alone
            return;
        }
        Outcome outcome = Failures.of(failure);
        if (Failures.isMissing(failure)) {
            String topic = batch.get(0).topic;
            topics.forget(topic);
            outcome = Outcome.unavailable(reason(topic, failure));
        }
        if (outcome instanceof Outcome.Unavailable unavailable) {
            gate.close(unavailable.reason());
        } else if (outcome instanceof Outcome.Unknown silence && gate.answeredAt - sentAt < 0) {
            gate.close(silence.reason()); // nothing else was answered meanwhile: what waits would wait in vain
        }
        settle(batch, outcome);
    }

    private static String reason(String topic, RuntimeException failure) {
        String reason = Failures.reason(failure);
        return Failures.isMissing(failure) ? "the topic " + topic + " is missing: " + reason : reason;
    }

    private void answered(List<Parcel> batch, PublishBatchResponse response) {
        Map<String, Outcome> outcomes = new HashMap<>();
        for (PublishBatchResultEntry entry : response.successful()) {
            outcomes.put(entry.id(), Outcome.accepted());
        }
        for (BatchResultErrorEntry entry : response.failed()) {
            outcomes.put(entry.id(), Failures.of(entry));
        }
        for (int i = 0; i < batch.size(); i++) {
            Outcome outcome = outcomes.get(Integer.toString(i));
            settle(batch.get(i), outcome == null ? Outcome.unknown("SNS did not say what became of it") : outcome);
        }
    }

    private void settle(List<Parcel> batch, Outcome outcome) {
        batch.forEach(parcel -> settle(parcel, outcome));
    }

    private void settle(Parcel parcel, Outcome outcome) {
        boolean accepted = parcel.settle(outcome) && outcome instanceof Outcome.Accepted;
        outbound.answered(parcel, accepted).forEach(behind -> behind.settle(BEHIND));
    }

    boolean isClosed() {
        return closed;
    }

    /** Called from time to time: calls have time-outs of their own, but not all of a call is subject to them. */
    void giveUpOverdue() {
        Outcome silence = Outcome.unknown("no answer within " + patience.toMillis() + " ms");
        outbound.underway().stream()
                .filter(Parcel::isOverdue)
                .forEach(parcel -> parcel.settle(parcel.wasSent() ? silence : unsent()));
        outbound.takeStuck().forEach(parcel -> parcel.settle(unsent()));
    }

    private void giveUpWaiting() {
        outbound.takeAll().forEach(parcel -> parcel.settle(Outcome.unavailable(CLOSED)));
    }

    /** Waits a little for calls under way; they are told to be unknown if that does not suffice. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        giveUpWaiting();
        senders.shutdown();
        try {
            long longest = Math.min(LONGEST_CLOSE_NANOS, patience.toNanos());
            if (!senders.awaitTermination(longest, TimeUnit.NANOSECONDS)) {
                outbound.underway().forEach(parcel -> parcel.settle(Outcome.unknown(CLOSED)));
                senders.shutdownNow();
            }
        } catch (InterruptedException stop) {
            senders.shutdownNow();
            Thread.currentThread().interrupt();
        }
        giveUpWaiting();
        outbound.underway().forEach(parcel -> parcel.settle(Outcome.unknown(CLOSED)));
        clients.close();
    }
}
