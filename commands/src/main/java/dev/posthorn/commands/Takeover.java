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
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on with workflow runs whose owner is dead, without their commands coming again. One that fails is a dead letter at once,
 * for nobody waits for it.
 *
 * @param <T> what steps work in
 */
public final class Takeover<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

    private final CommandRunner<T> runner;
    private final String consumer;
    private final DeadLetterTarget letters;

    /**
     * For the handlers of a runner.
     *
     * @param consumer whose dead letters they are: a consumer of this name runs them when they are redriven
     */
    public Takeover(CommandRunner<T> runner, String consumer, DeadLetterTarget letters) {
        this.runner = runner;
        this.consumer = consumer;
        this.letters = letters;
    }

    /** Goes on with all that there are now; how many that was. */
    public int runOnce() {
        int runs = 0;
        Optional<Lapsed> lapsed = runner.takeOver();
        while (lapsed.isPresent()) {
            goOn(lapsed.get());
            runs++;
            lapsed = runner.takeOver();
        }
        return runs;
    }

    private void goOn(Lapsed lapsed) {
        Event event = EventMessage.read(lapsed.message());
        Command command = Command.of(event);
        Attempt attempt = lapsed.attempt();
        LOG.info("Goes on with run {} of {} as attempt {}", attempt.run(), command, attempt.number());
        try {
            Answer unused = runner.goOn(command, attempt);
        } catch (RunLostException | CommandStoreException gone) {
            LOG.warn("Run {} of {} is left to others: {}", attempt.run(), command, gone.getMessage());
        } catch (Exception failed) {
            if (failed instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            letters.keep(letter(lapsed, event, cause(attempt, failed)));
        }
    }

    private static Cause cause(Attempt attempt, Exception failed) {
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
