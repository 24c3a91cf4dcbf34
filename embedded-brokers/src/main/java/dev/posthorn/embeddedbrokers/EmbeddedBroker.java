package dev.posthorn.embeddedbrokers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server on ports of the loopback address with a folder of its own, that can be stopped, killed, frozen and started again at
 * the same address. It ends with this process however that ends. Not thread-safe.
 */
public abstract sealed class EmbeddedBroker implements AutoCloseable
        permits EmbeddedKafka, EmbeddedPubSub, EmbeddedRabbitMq, EmbeddedRedis, EmbeddedSnsSqs {

    private final String name;
    private final Path folder;
    private @Nullable BrokerProcess process;

    /** In a fresh folder. */
    EmbeddedBroker(String name) {
        this.name = name;
        this.folder = BrokerProcess.newFolder(name);
    }

    /**
     * How it is run.
     *
     * @param environment variables besides the inherited ones
     */
    record Launch(List<String> command, Map<String, String> environment) {

        static Launch of(List<String> command) {
            return new Launch(command, Map.of());
        }
    }

    abstract Launch launch();

    /** Whether it is at work. */
    abstract boolean answers();

    final Path folder() {
        return folder;
    }

    /**
     * Starts it, also after {@link #stop} or {@link #kill}, at the same address and with what it has on disk; returns when it
     * answers.
     */
    public final void startAgain() {
        Launch launch = launch();
        BrokerProcess started = BrokerProcess.start(name, folder, launch.command(), launch.environment());
        process = started;
        started.awaitReady(this::answers);
    }

    public final boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** As by SIGTERM: it writes what it has and ends. */
    public final void stop() {
        if (process != null) {
            process.stop();
        }
    }

    /** As by kill -9. What it has on disk stays. */
    public final void kill() {
        if (process != null) {
            process.kill();
        }
    }

    /** Stands still without closing a connection, as behind a dead network. */
    public final void freeze() {
        if (process != null) {
            process.freeze();
        }
    }

    public final void thaw() {
        if (process != null) {
            process.thaw();
        }
    }

    /** Ends it and removes its folder. */
    @Override
    public final void close() {
        kill();
        BrokerProcess.remove(folder);
    }
}
