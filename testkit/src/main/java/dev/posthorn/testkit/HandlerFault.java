package dev.posthorn.testkit;

import dev.posthorn.transport.Verdict;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/** What a handler can do to whoever calls it, apart from handling. */
public enum HandlerFault {
    EXCEPTION {
        @Override
        Throwable thrown() {
            return new IllegalStateException(REASON);
        }
    },
    CHECKED_EXCEPTION {
        @Override
        Throwable thrown() {
            return new IOException(REASON);
        }
    },
    HEAP_EXHAUSTED {
        @Override
        Throwable thrown() {
            return new OutOfMemoryError(REASON);
        }
    },
    STACK_OVERFLOW {
        @Override
        Throwable thrown() {
            return new StackOverflowError(REASON);
        }
    },
    CLASS_MISSING {
        @Override
        Throwable thrown() {
            return new NoClassDefFoundError(REASON);
        }
    },
    ASSERTION {
        @Override
        Throwable thrown() {
            return new AssertionError(REASON);
        }
    },
    THREAD_STOPPED {
        @Override
        Throwable thrown() {
            return new StoppedThread();
        }
    },
    PLAIN_THROWABLE {
        @Override
        Throwable thrown() {
            return new Throwable(REASON);
        }
    },
    INTERRUPTED {
        @Override
        Throwable thrown() {
            return new InterruptedException(REASON);
        }
    },
    INTERRUPT_FLAG_LEFT_SET {
        @Override
        Throwable thrown() {
            Thread.currentThread().interrupt();
            return new IllegalStateException(REASON);
        }
    },
    SLOW {
        @Override
        Throwable thrown() {
            LockSupport.parkNanos(500_000_000L);
            return new IllegalStateException(REASON);
        }
    };

    /** What each of them says. */
    public static final String REASON = "on purpose";

    /** An error of no known kind, as {@code ThreadDeath} was until it was deprecated. */
    private static final class StoppedThread extends Error {
        private static final long serialVersionUID = 1L;

        StoppedThread() {
            super(REASON);
        }
    }

    abstract Throwable thrown();

    /** Misbehaves; never returns. */
    public Verdict misbehave() {
        throw HandlerFault.<RuntimeException>sneaky(thrown());
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
