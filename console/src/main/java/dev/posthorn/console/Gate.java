package dev.posthorn.console;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Lets callers in, and keeps out what a browser was tricked into sending.
 *
 * <p>There are no cookies, so nothing is sent along unasked. What comes with the name of another page is refused. Without tokens
 * whoever is on this host is trusted; then the name it was asked by must be this host's own, or a page elsewhere could have its
 * own name point here, and nothing may have been passed on by a proxy, which would lend its place to anybody.
 */
final class Gate {

    private static final Caller LOCAL = new Caller("local", Role.ADMIN);
    private static final String BEARER = "Bearer ";
    private static final Pattern OWN_NAME =
            Pattern.compile("(?i)(localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1])(:\\d{1,5})?");

    private final Tokens tokens;

    Gate(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Throws if a page of somebody else had this sent, or if it came here under a strange name. */
    void check(Request request) {
        String host = request.header("Host").orElse("");
        if (tokens.isEmpty() && request.local() && !OWN_NAME.matcher(host).matches()) {
            throw Refusal.forbidden(
                    "foreign-host",
                    "Without tokens this is answered to this host by the names localhost and 127.0.0.1 only, not \""
                            + host + "\". Ask by one of these, or configure tokens (http.tokens).");
        }
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
        if (tokens.isEmpty()) {
            return isPassedOn(request) || !request.local() ? Optional.empty() : Optional.of(LOCAL);
        }
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
            throw tokens.isEmpty()
                    ? Refusal.forbidden(
                            "local-only",
                            "Without tokens only this host is answered, and no proxy. Configure tokens (http.tokens).")
                    : Refusal.of(
                            401,
                            "no-token",
                            "Bring a token of this process, as Authorization: Bearer TOKEN (for metrics also"
                                    + " x-metrics-token: TOKEN). Make one with: posthorn config token");
        }
        if (!caller.get().may(right)) {
            throw Refusal.forbidden(
                    "role-too-low",
                    "The token " + caller.get().name() + " has the role "
                            + caller.get().role().word() + ", which may not " + right.word()
                            + ". Use one with a higher role.");
        }
    }

    private static boolean isPassedOn(Request request) {
        return request.header("X-Forwarded-For").isPresent()
                || request.header("Forwarded").isPresent();
    }
}
