package dev.posthorn.relay;

/** Says what was thrown, whatever it is. */
final class Thrown {

    private Thrown() {}

    /** The message of a store's failure, else also its class; never throws. */
    static String describe(Throwable thrown) {
        try {
            return thrown instanceof StoreException ? String.valueOf(thrown.getMessage()) : thrown.toString();
        } catch (Throwable unspeakable) {
            return thrown.getClass().getName();
        }
    }
}
