package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** 100,000 dead letters are found and decided about in pages: what is held at once is a page, whatever is dead. */
@Tag("slow")
@Timeout(300)
class ManyDeadLettersTest {

    private static final int MANY = TestSize.of(10_000, 20_000, 100_000);
    private static final int PAGE = 1_000;

    private final DeadFixture dead;

    ManyDeadLettersTest() throws SQLException {
        dead = new DeadFixture();
    }

    @Test
    void allAreListedOnceInPagesAndGrouped() throws SQLException {
        dead.die(MANY);
        Set<UUID> seen = new HashSet<>();
        DeadEntry last = null;
        List<DeadEntry> page;
        do {
            page = dead.desk.list(DeadFilter.all(), last, PAGE);
            assertThat(page).hasSizeLessThanOrEqualTo(PAGE);
            for (DeadEntry entry : page) {
                assertThat(seen.add(entry.letter())).isTrue();
                last = entry;
            }
        } while (page.size() == PAGE);

        assertThat(seen).hasSize(MANY);
        assertThat(dead.desk.groups(DeadFilter.all(), 10))
                .hasSize(4)
                .allSatisfy(group -> assertThat(group.letters()).isEqualTo(MANY / 4));
    }

    @Test
    void allAreRedrivenAndDiscardedInPages() throws SQLException {
        dead.die(MANY);
        DeadRun redrive = dead.desk.decide(DeadFilter.all().key("k3"), DeadDecision.redrive("mended"), PAGE);
        while (!redrive.isOver()) {
            assertThat(redrive.runOnce()).hasSizeLessThanOrEqualTo(PAGE);
        }
        DeadRun discard = dead.desk.decide(DeadFilter.all(), DeadDecision.discard("the rest is of no use"), PAGE);
        while (!discard.isOver()) {
            assertThat(discard.runOnce()).hasSizeLessThanOrEqualTo(PAGE);
        }

        assertThat(redrive.done()).isEqualTo(MANY / 10);
        assertThat(discard.done()).isEqualTo(MANY - MANY / 10);
        assertThat(dead.states()).containsExactly("DISCARDED|" + 9 * MANY / 10, "REDRIVE|" + MANY / 10);
        assertThat(dead.rows("SELECT action, sum(rows), count(*) FROM posthorn.operator_action GROUP BY 1 ORDER BY 1"))
                .containsExactly(
                        "discard|" + 9 * MANY / 10 + "|" + 9 * MANY / 10 / PAGE,
                        "redrive|" + MANY / 10 + "|" + MANY / 10 / PAGE);
    }

    @Test
    void twoAtOnceRedriveEachLetterOnce() throws Exception {
        dead.die(20_000);
        for (int i = 0; i < 500; i++) {
            dead.fail("main", dead.event("shop", "placed", "k" + i, "t"), "no");
        }
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            List<Future<DeadRun>> runs = List.of(
                    both.submit(() ->
                            DeadFixture.whole(dead.desk.decide(DeadFilter.all(), DeadDecision.redrive("one"), 100))),
                    both.submit(() ->
                            DeadFixture.whole(dead.desk.decide(DeadFilter.all(), DeadDecision.redrive("other"), 130))));

            assertThat(runs.get(0).get().done() + runs.get(1).get().done()).isEqualTo(20_500);
        } finally {
            both.shutdown();
        }
        assertThat(dead.states()).containsExactly("REDRIVE|20000");
        assertThat(dead.rows("SELECT kind, count(*) FROM posthorn.detour GROUP BY kind"))
                .containsExactly("REDRIVE|500");
        assertThat(dead.rows("SELECT sum(rows) FROM posthorn.operator_action")).containsExactly("20500");
    }

    @Test
    void whoStopsHalfWayLeavesTheRestDeadAndCanGoOn() throws SQLException {
        dead.die(5_000);
        DeadRun stopped = dead.desk.decide(DeadFilter.all(), DeadDecision.redrive("first half"), PAGE);
        stopped.runOnce(); // of routes there is nothing
        stopped.runOnce();
        stopped.runOnce();
        assertThat(dead.states()).containsExactly("DEAD|3000", "REDRIVE|2000");

        DeadRun rest = DeadFixture.whole(dead.desk.decide(DeadFilter.all(), DeadDecision.redrive("the rest"), PAGE));

        assertThat(stopped.total()).isEqualTo(5_000);
        assertThat(stopped.done()).isEqualTo(2_000);
        assertThat(rest.done()).isEqualTo(3_000);
        assertThat(dead.states()).containsExactly("REDRIVE|5000");
    }
}
