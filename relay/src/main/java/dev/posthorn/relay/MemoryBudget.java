package dev.posthorn.relay;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all relays of a process share for events which they have read and not checkpointed.
 *
 * <p>One half is for rows of the log. Half of that is divided equally among the relays and always theirs, so that none can
 * starve another; the rest goes to the relay that asks for it. A read reserves memory before it asks for rows: as much as
 * such rows took lately. That they may be larger is a risk, and the risks of all reads together are bounded by the budget
 * once more. So the relays take at most twice the budget, and that only while rows change their size. A relay that gets
 * nothing waits and is woken when another one lets go of something.
 *
 * <p>The other half is for large events, which are fetched one by one before they are published. They are served in the order
 * of asking. An event that does not fit in this half is refused.
 *
 * <p>Thread-safe.
 */
public final class MemoryBudget {

    /** The smallest budget: below it, relays would read row by row. */
    public static final long LEAST = 8L << 20;

    /** The most that one row takes while it is read, see {@link Log}. */
    static final long LARGEST_ROW = 56 << 10;

    /** A large event is in memory twice while it is fetched. */
    private static final int COPIES = 2;

    private static final long SMALLEST_ROW = 1_024;
    private static final int PART_OF_HEAP = 4;

    /** How fast large rows are forgotten, as a part of each read. Fast is safe: what rows may take beyond it is bounded. */
    private static final int FORGETTING = 8;

    private static final MemoryBudget PROCESS =
            new MemoryBudget(Math.max(LEAST, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));

    private final Set<Account> accounts = new LinkedHashSet<>();
    private final ArrayDeque<Account> queue = new ArrayDeque<>();
    private long limit;
    private long risk;

    MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** The budget of every relay that this process starts; a quarter of the largest heap unless it was set. */
    public static MemoryBudget ofProcess() {
        return PROCESS;
    }

    /** What relays do not have to share, for tests of something else. */
    static Account unlimited() {
        return new MemoryBudget(Long.MAX_VALUE / PART_OF_HEAP).open(() -> {});
    }

    /**
     * Sets the budget, at any time.
     *
     * @throws IllegalArgumentException if it is less than {@link #LEAST}, or more than the heap
     */
    public void setLimit(long bytes) {
        if (bytes < LEAST || bytes > Runtime.getRuntime().maxMemory()) {
            throw new IllegalArgumentException("The memory budget must be " + megabytes(LEAST) + " to "
                    + megabytes(Runtime.getRuntime().maxMemory()) + ", the largest heap, but is " + megabytes(bytes));
        }
        synchronized (this) {
            limit = bytes;
        }
        wakeAll();
    }

    /** The budget in bytes. */
    public synchronized long limit() {
        return limit;
    }

    /** The bytes that relays hold or have reserved. */
    public synchronized long used() {
        return accounts.stream()
                .mapToLong(account -> account.rows() + account.fetched)
                .sum();
    }

    /** How many relays wait for memory. */
    public synchronized int waiting() {
        return (int) accounts.stream().filter(Account::isWaiting).count();
    }

    /** For one more relay, which is woken when there may be memory again. */
    synchronized Account open(Runnable wake) {
        Account account = new Account(wake);
        accounts.add(account);
        return account;
    }

    static String megabytes(long bytes) {
        return Math.max(1, bytes >> 20) + " MB";
    }

    private void wakeAll() {
        List<Account> waiting;
        synchronized (this) {
            waiting = new ArrayList<>(accounts);
            waiting.removeIf(account -> !account.isWaiting());
        }
        waiting.forEach(account -> account.wake.run());
    }

    /** How many rows may be read now, and what is set aside for them. */
    record Reservation(int rows, long bytes, long risk) {
        static final Reservation NONE = new Reservation(0, 0, 0);
    }

    /** The part of one relay. */
    final class Account implements AutoCloseable {

        private final Runnable wake;
        private long held;
        private long reserved;
        private long fetched;
        /** The largest row of late; 0 before the first read. */
        private long largest;

        private @Nullable Long waitsForRows;
        private @Nullable Long waitsForFetch;

        private Account(Runnable wake) {
            this.wake = wake;
        }

        /** Sets memory aside for up to so many rows. None means that the relay has to wait. */
        Reservation reserve(int wanted) {
            synchronized (MemoryBudget.this) {
                long free = free();
                long usual = largest == 0 ? LARGEST_ROW : Math.min(LARGEST_ROW, Math.max(SMALLEST_ROW, 2 * largest));
                long safe = free / LARGEST_ROW;
                long bold = Math.min(free / usual, (limit - risk) / Math.max(1, LARGEST_ROW - usual));
                long rows = Math.min(wanted, Math.max(Math.max(safe, bold), rows() == 0 ? 1 : 0));
                if (rows <= 0) {
                    waitsForRows = waitsForRows == null ? Long.valueOf(System.nanoTime()) : waitsForRows;
                    return Reservation.NONE;
                }
                waitsForRows = null;
                boolean isSafe = rows <= safe;
                Reservation made = new Reservation(
                        (int) rows, rows * (isSafe ? LARGEST_ROW : usual), isSafe ? 0 : rows * (LARGEST_ROW - usual));
                reserved += made.bytes();
                risk += made.risk();
                return made;
            }
        }

        /** The read is over: the relay now holds so much, and the largest of the rows was so large. */
        void took(Reservation made, long holds, long largestRow) {
            if (made.rows() == 0) {
                return;
            }
            synchronized (MemoryBudget.this) {
                reserved -= made.bytes();
                risk -= made.risk();
                held = holds;
                if (largestRow > 0) {
                    largest = Math.max(largestRow, largest - largest / FORGETTING);
                }
            }
            wakeAll();
        }

        /** The relay holds so much now. */
        void holds(long bytes) {
            boolean less;
            synchronized (MemoryBudget.this) {
                less = bytes < held;
                held = bytes;
            }
            if (less) {
                wakeAll();
            }
        }

        /** The size of the largest event that a relay can publish within this budget. */
        long largestEvent() {
            synchronized (MemoryBudget.this) {
                return limit / 2 / COPIES;
            }
        }

        /** Sets memory aside for a large event. False if the relay has to wait for it. */
        boolean fetch(long size) {
            synchronized (MemoryBudget.this) {
                long all =
                        accounts.stream().mapToLong(account -> account.fetched).sum();
                boolean first = queue.isEmpty() || queue.peek() == this;
                if (first && all + size * COPIES <= limit / 2) {
                    stopWaitingForFetch();
                    fetched += size * COPIES;
                    return true;
                }
                if (waitsForFetch == null) {
                    waitsForFetch = System.nanoTime();
                    queue.add(this);
                }
                return false;
            }
        }

        /** There is no large event any more that this relay waits for. */
        void fetchesNoMore() {
            synchronized (MemoryBudget.this) {
                stopWaitingForFetch();
            }
        }

        private void stopWaitingForFetch() {
            if (waitsForFetch != null) {
                waitsForFetch = null;
                queue.remove(this);
            }
        }

        /** Lets go of a large event. */
        void dropped(long size) {
            synchronized (MemoryBudget.this) {
                fetched -= size * COPIES;
            }
            wakeAll();
        }

        /** How long the relay has been waiting for memory; nothing if it does not. */
        Duration waiting() {
            synchronized (MemoryBudget.this) {
                long now = System.nanoTime();
                long rows = waitsForRows == null ? 0 : now - waitsForRows;
                long fetch = waitsForFetch == null ? 0 : now - waitsForFetch;
                return Duration.ofNanos(Math.max(rows, fetch));
            }
        }

        /** Why this relay waits, in words. */
        String shortage() {
            synchronized (MemoryBudget.this) {
                return "it waits for memory for " + waiting().toSeconds() + " s: the relays of this process use "
                        + megabytes(used()) + " of " + megabytes(limit);
            }
        }

        /** Gives everything back. */
        @Override
        public void close() {
            synchronized (MemoryBudget.this) {
                accounts.remove(this);
                stopWaitingForFetch();
            }
            wakeAll();
        }

        private boolean isWaiting() {
            return waitsForRows != null || waitsForFetch != null;
        }

        private long rows() {
            return held + reserved;
        }

        /** What is left of the relay's own part, and half of what is left of the common one. */
        private long free() {
            long common = limit / 4;
            long own = common / Math.max(1, accounts.size());
            long taken = accounts.stream()
                    .mapToLong(account -> Math.max(0, account.rows() - own))
                    .sum();
            return Math.max(0, own - rows()) + Math.max(0, common - taken) / 2;
        }
    }
}
