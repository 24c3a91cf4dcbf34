package dev.posthorn.console;

import dev.posthorn.event.PosthornException;

/** A request that is not granted, and how that is answered. */
final class Refusal extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    private Refusal(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    Answer answer() {
        return Answer.error(status, code, String.valueOf(getMessage()));
    }

    static Refusal invalid(String message) {
        return new Refusal(400, "invalid-request", message);
    }

    static Refusal missing(String message) {
        return new Refusal(404, "not-found", message);
    }

    static Refusal forbidden(String code, String message) {
        return new Refusal(403, code, message);
    }

    static Refusal conflict(String code, String message) {
        return new Refusal(409, code, message);
    }

    static Refusal unprocessable(String message) {
        return new Refusal(422, "not-possible", message);
    }

    static Refusal of(int status, String code, String message) {
        return new Refusal(status, code, message);
    }
}
