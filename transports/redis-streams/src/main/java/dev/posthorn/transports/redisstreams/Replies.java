package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.Outcome;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What the answers of Redis mean for an event. */
final class Replies {

    /** First words of errors that are about the server, the account or the key, and not about the event. */
    private static final Set<String> NOT_THE_EVENTS_FAULT = Set.of(
            "OOM",
            "READONLY",
            "LOADING",
            "MASTERDOWN",
            "CLUSTERDOWN",
            "MOVED",
            "ASK",
            "TRYAGAIN",
            "BUSY",
            "MISCONF",
            "NOREPLICAS",
            "NOAUTH",
            "WRONGPASS",
            "NOPERM",
            "WRONGTYPE",
            "UNKILLABLE",
            "NOTBUSY",
            "NOSCRIPT",
            "EXECABORT",
            "NOQUORUM",
            "NOGOODSLAVE",
            "INPROG",
            "IOERR",
            "NOPROTO");

    /** Parts of errors that begin with nothing but ERR, and are about the server. */
    private static final Set<String> OF_THE_SERVER = Set.of(
            "unknown command",
            "max number of clients",
            "operation not permitted",
            "No space left",
            "disconnected",
            "no upstream",
            "upstream failure",
            "server closed connection",
            "Connection refused",
            "exhausted the last possible ID");

    /** Parts of errors about a value that is too large, whenever it comes. */
    private static final Set<String> OF_THE_EVENT =
            Set.of("exceeds maximum allowed", "Element is too large", "invalid bulk length");

    private Replies() {}

    /** Of a failed command on this key that was sent. */
    static Outcome outcomeOf(Throwable failure, String key) {
        Throwable cause = unwrapped(failure);
        if (!(cause instanceof RedisCommandExecutionException)) {
            return Outcome.unavailable("the connection was lost before Redis answered: " + Outcome.reasonOf(cause));
        }
        String reply = String.valueOf(cause.getMessage());
        String reason = "Redis says about " + key + ": " + reply;
        if (NOT_THE_EVENTS_FAULT.contains(firstWord(reply))
                || OF_THE_SERVER.stream().anyMatch(reply::contains)) {
            return Outcome.unavailable(reason);
        }
        // An error that is not known here may be anything: it is the event's fault only while other events go through.
        return OF_THE_EVENT.stream().anyMatch(reply::contains) ? Outcome.refused(reason) : Outcome.unknown(reason);
    }

    /** Whether the server answered, so that the connection is still of use. */
    static boolean isReply(Throwable failure) {
        return unwrapped(failure) instanceof RedisCommandExecutionException;
    }

    static boolean says(Throwable failure, String word) {
        return isReply(failure)
                && firstWord(String.valueOf(unwrapped(failure).getMessage())).equals(word);
    }

    private static String firstWord(String reply) {
        int space = reply.indexOf(' ');
        return space < 0 ? reply : reply.substring(0, space);
    }

    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
