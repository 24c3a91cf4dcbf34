package dev.posthorn.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.commands.CommandStore.Lapsed;
import dev.posthorn.deadletter.Cause;
import dev.posthorn.deadletter.DeadLetter;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.deadletter.Source;
import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.RetryPolicy;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on with workflow runs whose owner is dead, without their commands coming again. One that fails is left for a pause of the
 * policy and then gone on with again, by whoever looks; after the last attempt it is a dead letter.
 *
 * @param <T> what steps work in
 */
public final class Takeover<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

    private final CommandRunner<T> runner;
    private final String consumer;
    private final DeadLetterTarget letters;
    private final RetryPolicy retries;

    /**
     * For the handlers of a runner.
     *
     * @param consumer whose dead letters they are: a consumer of this name runs them when they are redriven
     * @param retries counts every attempt of a run, those of dead owners too
     */
    public Takeover(CommandRunner<T> runner, String consumer, DeadLetterTarget letters, RetryPolicy retries) {
        this.runner = runner;
        this.consumer = consumer;
        this.letters = letters;
        this.retries = retries;
    }

    /** Goes on with all that there are now; how many that was. */
    public int runOnce() {
        int runs = 0;
        while (next()) {
            runs++;
        }
        return runs;
    }

    /** Goes on with the one whose lease ran out first; false if there is none. */
    public boolean next() {
        Optional<Lapsed> lapsed = runner.takeOver();
        lapsed.ifPresent(this::goOn);
        return lapsed.isPresent();
    }

    private void goOn(Lapsed lapsed) {
        Command command = Command.of(EventMessage.read(lapsed.message()));
        Attempt attempt = lapsed.attempt();
        LOG.info("Goes on with run {} of {} as attempt {}", attempt.run(), command, attempt.number());
        try {
            Answer unused = runner.goOn(command, attempt);
        } catch (RunLostException | CommandStoreException gone) {
            LOG.warn("Run {} of {} is left to others: {}", attempt.run(), command, gone.getMessage());
        } catch (Exception failed) {
            Uninterrupted.run(() -> failed(lapsed, command, failed));
            if (failed instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void failed(Lapsed lapsed, Command command, Exception failed) {
        Attempt attempt = lapsed.attempt();
        Optional<Duration> pause =
                isFinal(failed) ? Optional.empty() : retries.pauseAfter(attempt.number(), ThreadLocalRandom.current());
        if (pause.isPresent()) {
            LOG.info("Run {} of {} goes on in {}: {}", attempt.run(), command, pause.get(), Outcome.reasonOf(failed));
            postpone(attempt, pause.get());
        } else {
            // The letter first: a crash in between has the run taken over once more, and never forgotten.
            letters.keep(letter(lapsed, command.event(), cause(attempt, failed)));
            runner.keepFailure(attempt, failed);
        }
    }

    /** If that can not be done its lease runs out, as if its owner were dead. */
    private void postpone(Attempt attempt, Duration pause) {
        try {
            runner.postpone(attempt, pause);
        } catch (RunLostException | CommandStoreException away) {
            LOG.debug("Run {} could not be postponed", attempt.run(), away);
        }
    }

    /** Running it again would end in the same way. */
    private static boolean isFinal(Exception failed) {
        return failed instanceof CommandRejectedException || failed instanceof SequenceMismatchException;
    }

    private static Cause cause(Attempt attempt, Exception failed) {
        if (failed instanceof SequenceMismatchException mismatch) {
            return mismatch.why();
        }
        return failed instanceof CommandRejectedException rejected
                ? new Cause.Rejected(String.valueOf(rejected.getMessage()))
                : new Cause.ProcessingFailed(Outcome.reasonOf(failed), attempt.number(), false);
    }

    private DeadLetter letter(Lapsed lapsed, Event event, Cause cause) {
        return new DeadLetter(
                UUID.nameUUIDFromBytes((consumer + "/" + lapsed.handler() + "/" + event.id()).getBytes(UTF_8)),
                new Source(consumer, lapsed.handler(), Source.COMMAND, Owner.NAME),
                event,
                new DeadLetter.Raw(lapsed.message().headers(), event.payloadBytes()),
                cause,
                Clock.systemUTC().instant(),
                Map.of("run", lapsed.attempt().run().toString()));
    }
}
