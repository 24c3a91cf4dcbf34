package dev.posthorn.replay;

import java.util.function.Function;

/** Where replayed events go: to everybody behind a route, or straight to one consumer. */
public sealed interface Target {

    /** Through the transport of this route's relays. */
    record Route(String name) implements Target {
        @Override
        public <R> R reduce(Function<String, R> route, Function<String, R> consumer) {
            return route.apply(name);
        }

        @Override
        public String toString() {
            return "route " + name;
        }
    }

    /** Into the handler of this consumer, past every transport. */
    record Consumer(String name) implements Target {
        @Override
        public <R> R reduce(Function<String, R> route, Function<String, R> consumer) {
            return consumer.apply(name);
        }

        @Override
        public String toString() {
            return "consumer " + name;
        }
    }

    String name();

    /** Calls the one case that this is, with its name. */
    <R> R reduce(Function<String, R> route, Function<String, R> consumer);

    static Target route(String name) {
        return new Route(name);
    }

    static Target consumer(String name) {
        return new Consumer(name);
    }
}
