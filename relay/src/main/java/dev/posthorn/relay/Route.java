package dev.posthorn.relay;

import java.util.regex.Pattern;

/**
 * A way from the log to a destination, with a cursor of its own.
 *
 * @param name letters, digits, dots, hyphens and underscores, at most 63
 * @param filter which events are its own
 * @param start where it begins when it is created; of no effect after that
 */
public record Route(String name, RouteFilter filter, RouteStart start) {

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]{1,63}");

    public Route {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is not a route's name. Use letters, digits, dots,"
                    + " hyphens and underscores, at most 63.");
        }
    }

    /** A route for every event; see {@link RouteStart#auto} for where it starts. */
    public static Route named(String name) {
        return new Route(name, RouteFilter.all(), RouteStart.auto());
    }

    public Route withFilter(RouteFilter chosen) {
        return new Route(name, chosen, start);
    }

    public Route startingAt(RouteStart chosen) {
        return new Route(name, filter, chosen);
    }

    public Route fromBeginning() {
        return startingAt(RouteStart.beginning());
    }
}
