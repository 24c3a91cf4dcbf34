package dev.posthorn.console;

import dev.posthorn.event.PosthornException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** How a failure of the database is answered: each by what the caller can do about it. */
final class Failures {

    private record Kind(int status, String code) {}

    private static final Map<String, Kind> BY_STATE = Map.of(
            "P0002", new Kind(404, "not-found"),
            "55000", new Kind(409, "not-in-this-state"),
            "22023", new Kind(422, "not-possible"),
            "42704", new Kind(422, "not-possible"),
            "42501", new Kind(503, "no-database-right"),
            "42P01", new Kind(503, "no-schema"),
            "42883", new Kind(503, "no-schema"),
            "3F000", new Kind(503, "no-schema"));

    private static final String OUT_OF_TIME = "57014";

    private Failures() {}

    static Answer answer(PosthornException failure) {
        Optional<SQLException> cause = cause(failure);
        if (cause.isEmpty()) {
            return Answer.error(422, "not-possible", masked(failure));
        }
        String state = String.valueOf(cause.get().getSQLState());
        if (state.equals(OUT_OF_TIME)) {
            return Answer.error(
                    503, "too-slow", "The database took too long over this, so it was ended. Ask for less at once.");
        }
        Kind kind = BY_STATE.getOrDefault(state, new Kind(503, "database-trouble"));
        Answer answer = Answer.error(kind.status(), kind.code(), masked(failure));
        return kind.code().equals("database-trouble") ? answer.with("Retry-After", "2") : answer;
    }

    private static Optional<SQLException> cause(Throwable failure) {
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (one instanceof SQLException found) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private static String masked(PosthornException failure) {
        return Secrets.mask(String.valueOf(failure.getMessage()));
    }
}
