package dev.posthorn.postgres;

import java.time.Duration;

/**
 * From when on the doctor speaks up.
 *
 * @param standstill how long a lane may have a backlog and not move (5 min)
 * @param blocked how long a key may be blocked (1 h)
 * @param paused how long a route may be paused (1 day)
 * @param transaction how long a transaction may be open that is idle, prepared, or has written (5 min); other ones, such as
 *     reports, may take {@value #READING} times as long
 * @param xmin by how many transactions a slot or a standby may hold back vacuum (1 million)
 * @param clock how far the clocks of this host and the database may be apart (5 s)
 */
record DoctorLimits(
        Duration standstill, Duration blocked, Duration paused, Duration transaction, long xmin, Duration clock) {

    /** A transaction that only reads holds back vacuum, but no event. */
    static final int READING = 12;

    static DoctorLimits standard() {
        return new DoctorLimits(
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                Duration.ofDays(1),
                Duration.ofMinutes(5),
                1_000_000,
                Duration.ofSeconds(5));
    }
}
