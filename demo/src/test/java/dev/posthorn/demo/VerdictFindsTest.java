package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A verdict is worth what it finds. */
@Tag("slow")
class VerdictFindsTest {

    @Test
    void nothingWhenNothingIsWrong() {
        DemoRun run = runWith(Saboteur.Crime.NONE);

        assertFound(run, 0, 0, 0, 0);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void anEventThatWasDropped() {
        DemoRun run = runWith(Saboteur.Crime.DROP);

        assertFound(run, 1, 0, 0, 0);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void twoEventsOfOneKeyThatWereSwapped() {
        DemoRun run = runWith(Saboteur.Crime.SWAP);

        assertFound(run, 0, 0, 0, 1);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void anEventThatNobodyCommittedAlsoIfItLooksLikeOneThatWas() {
        DemoRun run = runWith(Saboteur.Crime.INVENT);

        assertFound(run, 0, 1, 0, 0);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void aDuplicateWhichIsAllowed() {
        DemoRun run = runWith(Saboteur.Crime.REPEAT);

        assertFound(run, 0, 0, 1, 0);
        assertThat(run.exitCode()).isZero();
    }

    private static DemoRun runWith(Saboteur.Crime crime) {
        return DemoRun.of(
                publisher -> new Saboteur(publisher, crime),
                "--json",
                "--events=600",
                "--accounts=10",
                "--outage=0",
                "--late-commits=0");
    }

    private static void assertFound(DemoRun run, int lost, int invented, int duplicates, int outOfOrder) {
        assertThat(run.number("committed")).isEqualTo(600);
        assertThat(run.number("published")).isEqualTo(600 - lost);
        assertThat(run.number("lost")).as("lost").isEqualTo(lost);
        assertThat(run.number("invented")).as("invented").isEqualTo(invented);
        assertThat(run.number("duplicates")).as("duplicates").isEqualTo(duplicates);
        assertThat(run.number("out_of_order")).as("out of order").isEqualTo(outOfOrder);
    }
}
