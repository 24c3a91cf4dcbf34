package dev.posthorn.commands;

/** Writes down what happened also in a thread that was interrupted, where no pool would give a connection. */
final class Uninterrupted {

    private Uninterrupted() {}

    static void run(Runnable work) {
        boolean interrupted = Thread.interrupted();
        try {
            work.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
