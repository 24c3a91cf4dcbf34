package dev.posthorn.console;

import java.util.Optional;

/**
 * Lets callers in, and keeps out what a browser was tricked into sending.
 *
 * <p>There are no cookies, so nothing is sent along unasked. What comes with the name of another page is refused. The place of a
 * caller counts for nothing: a reverse proxy on this host looks like this host.
 */
final class Gate {

    private static final String BEARER = "Bearer ";

    private final Tokens tokens;

    Gate(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Throws if a page of another site sent this request. */
    void check(Request request) {
        String host = request.header("Host").orElse("");
        Optional<String> origin = request.header("Origin");
        if (origin.isPresent()
                && !origin.get().equalsIgnoreCase("http://" + host)
                && !origin.get().equalsIgnoreCase("https://" + host)) {
            throw Refusal.forbidden(
                    "foreign-origin", "This was sent by a page of " + origin.get() + ", which has no business here.");
        }
        boolean crossSite =
                request.header("Sec-Fetch-Site").filter("cross-site"::equals).isPresent();
        boolean navigation =
                request.header("Sec-Fetch-Mode").filter("navigate"::equals).isPresent();
        if (crossSite && !navigation) {
            throw Refusal.forbidden("foreign-origin", "This was sent by a page of another site.");
        }
    }

    /** Who asks; empty if that is not known. */
    Optional<Caller> callerOf(Request request) {
        Optional<Caller> measuring =
                request.header("x-metrics-token").flatMap(tokens::callerWith).filter(one -> one.may(Right.MEASURE));
        return request.header("Authorization")
                .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(value -> value.substring(BEARER.length()).strip())
                .flatMap(tokens::callerWith)
                .or(() -> measuring.map(one -> new Caller(one.name(), Role.METRICS)));
    }

    /** Throws unless this caller may do that. */
    void require(Optional<Caller> caller, Right right) {
        if (caller.isEmpty()) {
            if (right == Right.MEASURE && tokens.isMetricsPublic()) {
                return;
            }
            throw Refusal.of(
                    401,
                    "no-token",
                    "Send a token of this process, as Authorization: Bearer TOKEN (for metrics also"
                            + " x-metrics-token: TOKEN). Without configured tokens the process prints a link with one"
                            + " at start. To create a token to configure, run: posthorn config token");
        }
        if (!caller.get().may(right)) {
            throw Refusal.forbidden(
                    "role-too-low",
                    "The token " + caller.get().name() + " has the role "
                            + caller.get().role().word() + ", which may not " + right.word()
                            + ". Use one with a higher role.");
        }
    }
}
