package dev.posthorn.spring;

import dev.posthorn.relay.Loop;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** A part of the application with a loop of its own, which begins before the relays and ends after them. */
abstract class LoopPart implements SmartLifecycle {

    private volatile @Nullable Loop loop;

    /** A loop that runs; null if none is wanted. */
    abstract @Nullable Loop begin();

    @Override
    public final void start() {
        loop = begin();
    }

    @Override
    public final void stop() {
        Loop running = loop;
        loop = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public final boolean isRunning() {
        return loop != null;
    }

    @Override
    public final int getPhase() {
        return Phases.LOOKOUT;
    }
}
