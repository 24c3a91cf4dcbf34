package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.postgres.DeadEntry.Station;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All that is dead is found in one place, and decided about there. */
class DeadDeskTest {

    private DeadFixture dead;
    private UUID failed;
    private UUID billed;
    private UUID shipped;
    private UUID bill;
    private UUID ship;

    @BeforeEach
    void threeAreDead() throws SQLException {
        dead = new DeadFixture();
        failed = dead.event("orders", "order.placed", "a", "acme");
        billed = dead.event("orders", "order.placed", "b", "acme");
        shipped = dead.event("parcels", "parcel.lost", "c", "umbrella");
        dead.fail("main", failed, "no queue 4711");
        bill = dead.die("billing", "bill", billed, "processing-failed", "no account 815");
        ship = dead.die("shipping", "ship", shipped, "rejected", "no address");
    }

    private List<UUID> found(DeadFilter filter) {
        return dead.desk.list(filter, null, 100).stream().map(DeadEntry::letter).toList();
    }

    @Test
    void aGroupIsFoundWithItsSubsidiariesAndEachOfThemAlone() throws SQLException {
        UUID lagos = dead.event("orders", "order.placed", "d", "acme/lagos");
        UUID abuja = dead.event("orders", "order.placed", "e", "acme/abuja");
        dead.fail("main", lagos, "no queue 4711");
        UUID bills = dead.die("billing", "bill", abuja, "processing-failed", "no account 815");
        DeadFilter all = DeadFilter.all();

        assertThat(found(all.tenant("acme/*"))).containsExactlyInAnyOrder(failed, bill, lagos, bills);
        assertThat(found(all.tenant("acme/lagos"))).containsExactly(lagos);
        assertThat(found(all.tenant("acme"))).containsExactly(failed, bill);
        assertThat(found(all.tenant("acme2/*"))).isEmpty();
        assertThat(dead.desk.count(all.tenant("acme/*"))).isEqualTo(4);
        assertThat(dead.desk.groups(all.tenant("acme2/*"), 10)).isEmpty();
    }

    /** A fact that a statement passed over would have a redrive or discard take all there is. */
    @ParameterizedTest
    @ValueSource(strings = {"dead_list", "dead_count", "dead_groups"})
    void noStatementPassesOverAFact(String statement) {
        Set<String> facts = DeadFilter.all()
                .station(Station.ROUTE)
                .route("r")
                .consumer("c")
                .handler("h")
                .domain("d")
                .type("t")
                .key("k")
                .tenant("acme")
                .tenant("acme/*")
                .cause("c")
                .fingerprint("f")
                .facts()
                .keySet();

        assertThat(facts)
                .hasSize(11)
                .allSatisfy(fact -> assertThat(Sql.load(statement, Schema.DEFAULT))
                        .contains("->> '" + fact + "'")
                        .containsPattern("asked\\." + fact + " IS NULL|SELECT " + fact + " FROM asked"));
    }

    @Test
    void eachFilterFindsItsOwn() {
        DeadFilter all = DeadFilter.all();
        assertThat(found(all)).containsExactly(failed, bill, ship);
        assertThat(found(all.route("main"))).containsExactly(failed);
        assertThat(found(all.route("audit"))).isEmpty();
        assertThat(found(all.consumer("billing"))).containsExactly(bill);
        assertThat(found(all.handler("ship"))).containsExactly(ship);
        assertThat(found(all.domain("orders"))).containsExactly(failed, bill);
        assertThat(found(all.type("parcel.lost"))).containsExactly(ship);
        assertThat(found(all.key("b"))).containsExactly(bill);
        assertThat(found(all.tenant("acme"))).containsExactly(failed, bill);
        assertThat(found(all.cause("rejected"))).containsExactly(ship);
        assertThat(found(all.cause("publish-failed"))).containsExactly(failed);
        assertThat(found(all.fingerprint("no account #"))).containsExactly(bill);
        assertThat(found(all.fingerprint("no queue #"))).containsExactly(failed);
        assertThat(found(all.id(billed))).as("by event").containsExactly(bill);
        assertThat(found(all.id(ship))).as("by letter").containsExactly(ship);
        assertThat(found(all.domain("orders").tenant("acme").key("a"))).containsExactly(failed);
        assertThat(found(all.domain("orders").tenant("umbrella"))).isEmpty();
    }

    @Test
    void byTime() {
        Instant second =
                dead.desk.list(DeadFilter.all().id(bill), null, 1).get(0).at();

        assertThat(found(DeadFilter.all().since(second))).containsExactly(bill, ship);
        assertThat(found(DeadFilter.all().until(second))).containsExactly(failed);
        assertThat(dead.desk.count(DeadFilter.all().since(second))).isEqualTo(2);
    }

    @Test
    void pagesFollowEachOther() {
        List<UUID> seen = new ArrayList<>();
        DeadEntry last = null;
        for (int page = 0; page < 3; page++) {
            last = dead.desk.list(DeadFilter.all(), last, 1).get(0);
            seen.add(last.letter());
        }

        assertThat(seen).containsExactly(failed, bill, ship);
        assertThat(dead.desk.list(DeadFilter.all(), last, 1)).isEmpty();
    }

    @Test
    void anEntrySaysWhereWhatAndWhyAndWhatToDo() {
        DeadEntry route = dead.desk.list(DeadFilter.all().id(failed), null, 1).get(0);
        DeadEntry consumer = dead.desk.list(DeadFilter.all().id(bill), null, 1).get(0);

        assertThat(route.where()).isEqualTo(new DeadEntry.Where(Station.ROUTE, "main", ""));
        assertThat(route.why().reason()).isEqualTo("no queue 4711");
        assertThat(route.why().remedy()).contains("redrive");
        assertThat(consumer.where()).isEqualTo(new DeadEntry.Where(Station.CONSUMER, "billing", "bill"));
        assertThat(consumer.what().event()).contains(billed);
        assertThat(consumer.what().type()).contains("order.placed");
        assertThat(consumer.why().remedy()).isEqualTo("mend it");
    }

    @Test
    void reasonsOfOneKindAreAGroup() throws SQLException {
        dead.die("billing", "bill", shipped, "processing-failed", "no account 42");

        List<DeadGroup> groups = dead.desk.groups(DeadFilter.all(), 10);

        assertThat(groups)
                .extracting(DeadGroup::fingerprint)
                .containsExactly("no account #", "no address", "no queue #");
        assertThat(groups.get(0).letters()).isEqualTo(2);
        assertThat(groups.get(0).example()).isEqualTo(bill);
        assertThat(groups.get(0).first()).isBefore(groups.get(0).last());
        assertThat(groups).allSatisfy(group -> assertThat(group.remedy()).isNotEmpty());
        assertThat(dead.desk.groups(DeadFilter.all(), 1)).hasSize(1);
    }

    @Test
    void oneIsShownWholeByItsIdOrItsEvents() {
        WholeDeadLetter letter = dead.desk.show(billed, 1_000).get(0);

        assertThat(dead.desk.show(bill, 1_000)).hasSize(1);
        assertThat(letter.entry().letter()).isEqualTo(bill);
        assertThat(letter.state()).isEqualTo("DEAD");
        assertThat(letter.body()).containsExactly(0x00, 0xff);
        assertThat(letter.headers()).containsEntry("h", "1");
        assertThat(letter.metadata()).containsEntry("topic", "t");
        assertThat(letter.details()).containsEntry("error", "x");
        WholeDeadLetter event = dead.desk.show(failed, 1_000).get(0);
        assertThat(event.body()).containsExactly(0x00, 0xff);
        assertThat(event.entry().why().reason()).isEqualTo("no queue 4711");
        assertThat(dead.desk.show(UUID.randomUUID(), 1_000)).isEmpty();
    }

    @Test
    void oneCommandSendsBackWhatDiedOnRoutesAndInConsumers() throws SQLException {
        List<DeadRun.Answer> answers = new ArrayList<>();
        DeadRun run = dead.desk.decide(DeadFilter.all(), DeadDecision.redrive("mended"), 2);
        while (!run.isOver()) {
            answers.addAll(run.runOnce());
        }

        assertThat(run.done()).isEqualTo(3);
        assertThat(answers)
                .extracting(answer -> answer.place() + ": " + answer.text())
                .containsExactly(
                        "route main: to be published by itself, out of order",
                        "consumer billing: sent back to its handler",
                        "consumer shipping: sent back to its handler");
        assertThat(found(DeadFilter.all())).isEmpty();
        assertThat(dead.rows("SELECT who, action, reason, rows FROM posthorn.operator_action ORDER BY id"))
                .containsExactly("postgres|redrive|mended|1", "postgres|redrive|mended|2");
    }

    @Test
    void aTrialChangesNothing() throws SQLException {
        DeadRun run = DeadFixture.whole(dead.desk.tryOut(DeadFilter.all(), DeadDecision.discard("no use"), 100));

        assertThat(run.done()).isEqualTo(3);
        assertThat(found(DeadFilter.all())).hasSize(3);
        assertThat(dead.rows("SELECT * FROM posthorn.operator_action")).isEmpty();
    }

    @Test
    void aDiscardIsForGoodAndKnownWithItsReason() throws SQLException {
        DeadFixture.whole(dead.desk.decide(DeadFilter.all(), DeadDecision.discard("test data"), 100));

        assertThat(found(DeadFilter.all())).isEmpty();
        assertThat(dead.states()).containsExactly("DISCARDED|2");
        assertThat(dead.desk.show(bill, 1_000))
                .singleElement()
                .satisfies(letter -> assertThat(letter.state()).isEqualTo("DISCARDED"));
        assertThat(dead.rows("SELECT DISTINCT action, reason FROM posthorn.operator_action"))
                .containsExactly("discard|test data");
    }

    @Test
    void toReprocessOrDiscardNeedsAReason() {
        assertThatThrownBy(() -> new DeadDecision(DeadDecision.Verb.REPROCESS, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs a reason");
        assertThatThrownBy(() -> DeadDecision.discard(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> dead.rows("SELECT posthorn.redrive_letters('{}', true, '')"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("needs a reason");
        assertThatThrownBy(() -> dead.rows("SELECT posthorn.discard_letters('{}', NULL)"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("needs a reason");
    }

    @Test
    void toReprocessIsMarkedAndRecordedAsSuch() throws SQLException {
        DeadFixture.whole(
                dead.desk.decide(DeadFilter.all().id(bill), DeadDecision.reprocess("the ledger was lost"), 9));

        assertThat(dead.rows("SELECT reprocess FROM posthorn.dead_letter WHERE state = 'REDRIVE'"))
                .containsExactly("t");
        assertThat(dead.rows("SELECT action, target, reason FROM posthorn.operator_action"))
                .containsExactly("reprocess|" + bill + "|the ledger was lost");
    }

    @Test
    void itSaysWhatOrderIsNotRestored() throws SQLException {
        UUID later = dead.event("orders", "order.paid", "b", "acme");
        dead.handle("billing", "bill", later);
        dead.postgres.run("DELETE FROM posthorn.outbox WHERE id = '" + shipped + "'");

        List<DeadRun.Answer> answers = new ArrayList<>();
        DeadRun run = dead.desk.decide(DeadFilter.all(), DeadDecision.redrive(null), 100);
        while (!run.isOver()) {
            answers.addAll(run.runOnce());
        }

        assertThat(answers)
                .filteredOn(answer -> answer.letter().equals(bill))
                .singleElement()
                .satisfies(
                        answer -> assertThat(answer.text()).contains("later events of its key were handled meanwhile"));
        assertThat(answers)
                .filteredOn(answer -> answer.letter().equals(ship))
                .singleElement()
                .satisfies(answer -> assertThat(answer.text()).contains("is not known"));
    }

    @Test
    void aKeysDeadEventsOfARouteGoBackInTheirOrder() throws SQLException {
        UUID first = dead.event("orders", "order.placed", "z", "acme");
        UUID second = dead.event("orders", "order.paid", "z", "acme");
        dead.fail("audit", second, "full"); // it died first
        dead.fail("audit", first, "full");

        DeadFixture.whole(dead.desk.decide(DeadFilter.all().route("audit"), DeadDecision.redrive(null), 1));

        assertThat(dead.rows("SELECT event_id FROM posthorn.detour WHERE kind = 'REDRIVE' ORDER BY due"))
                .containsExactly(first.toString(), second.toString());
    }

    @Test
    void whatAnotherOperatorDecidedMeanwhileIsLeftAlone() throws SQLException {
        DeadRun mine = dead.desk.decide(DeadFilter.all(), DeadDecision.redrive("mine"), 100);
        DeadFixture.whole(dead.desk.decide(DeadFilter.all(), DeadDecision.discard("theirs"), 100));

        assertThat(DeadFixture.whole(mine).done()).isZero();
        assertThat(dead.states()).containsExactly("DISCARDED|2");
    }

    @Test
    void anEventThatIsNoLongerInTheLogDoesNotStopTheOthers() throws SQLException {
        dead.fail("main", shipped, "no queue 4711");
        dead.postgres.run("DELETE FROM posthorn.outbox WHERE id = '" + failed + "'");

        DeadRun run = DeadFixture.whole(
                dead.desk.decide(DeadFilter.all().route("main"), DeadDecision.redrive("mended"), 100));

        assertThat(run.total()).isEqualTo(2);
        assertThat(run.done()).isEqualTo(1);
        assertThat(found(DeadFilter.all().route("main"))).containsExactly(failed);
    }
}
