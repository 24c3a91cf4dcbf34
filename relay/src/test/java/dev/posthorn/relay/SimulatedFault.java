package dev.posthorn.relay;

/**
 * Something that a port throws in the simulation, or that is thrown in the middle of the engine as an {@link OutOfMemoryError}
 * would be. Whatever else comes out of a step is a defect of the engine.
 */
interface SimulatedFault {

    /** As of a routing data source. */
    final class Unchecked extends RuntimeException implements SimulatedFault {
        private static final long serialVersionUID = 1L;

        Unchecked(String message) {
            super(message, null, false, false);
        }
    }

    /** As of a machine without memory. */
    final class Fatal extends Error implements SimulatedFault {
        private static final long serialVersionUID = 1L;

        Fatal(String message) {
            super(message, null, false, false);
        }
    }

    /** As of a client in a language without checked exceptions. */
    final class Checked extends Exception implements SimulatedFault {
        private static final long serialVersionUID = 1L;

        Checked(String message) {
            super(message, null, false, false);
        }
    }

    /** Anything but what a store is expected to throw. */
    static Throwable any(Dice dice, String message) {
        return switch (dice.between(0, 2)) {
            case 0 -> new Unchecked(message);
            case 1 -> new Fatal(message);
            default -> new Checked(message);
        };
    }

    /** Throws it, declared or not. */
    @SuppressWarnings({"unchecked", "DoNotCallSuggester"})
    static <E extends Throwable> void raise(Throwable fault) throws E {
        throw (E) fault;
    }
}
