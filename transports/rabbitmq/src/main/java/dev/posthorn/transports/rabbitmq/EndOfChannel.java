package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import dev.posthorn.transport.Outcome;
import java.util.Set;

/** What the end of a channel or connection means for an event that was sent on it and not confirmed. */
final class EndOfChannel {

    private static final String TOO_LARGE = "PRECONDITION_FAILED - message size ";

    /** The broker did not understand what it read, which one message may have caused. */
    private static final Set<Integer> OF_WHAT_WAS_SENT = Set.of(
            AMQP.FRAME_ERROR,
            AMQP.SYNTAX_ERROR,
            AMQP.COMMAND_INVALID,
            AMQP.CHANNEL_ERROR,
            AMQP.UNEXPECTED_FRAME,
            AMQP.NOT_IMPLEMENTED);

    private EndOfChannel() {}

    /** A channel is closed because of one message, and the broker's words tell which it was, or which exchange. */
    static Outcome outcomeOf(Sending sending, ShutdownSignalException signal) {
        String reason = Connector.reasonOf(signal);
        if (signal.getReason() instanceof AMQP.Channel.Close) {
            if (reason.startsWith(TOO_LARGE + sending.size() + " ")) {
                return Outcome.refused(reason);
            }
            boolean ofAnother = reason.startsWith(TOO_LARGE);
            boolean ofItsExchange = reason.contains("exchange '" + sending.exchange() + "'");
            return ofAnother || ofItsExchange ? Outcome.unavailable(reason) : Outcome.unknown(reason);
        }
        return isBrokerGone(signal) ? gone(reason) : Outcome.unknown(reason);
    }

    /** Without a word, because it shuts down, or for want of something: no event is to blame for that. */
    private static boolean isBrokerGone(ShutdownSignalException signal) {
        boolean complaint = signal.getReason() instanceof AMQP.Connection.Close close
                && OF_WHAT_WAS_SENT.contains(close.getReplyCode());
        return signal.isHardError() && !signal.isInitiatedByApplication() && !complaint;
    }

    /** The broker cannot be reached, or accepts nothing. */
    static Outcome gone(String reason) {
        return Outcome.unavailable(reason + "; it may have arrived");
    }
}
