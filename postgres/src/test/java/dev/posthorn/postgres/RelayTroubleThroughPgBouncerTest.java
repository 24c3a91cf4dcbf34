package dev.posthorn.postgres;

import org.junit.jupiter.api.Tag;

/** The same with all relays behind a pooler that has two connections for them. */
@Tag("slow")
class RelayTroubleThroughPgBouncerTest extends RelayTroubleTest {

    @Override
    RelayHarness harness() {
        return new RelayHarness(postgres -> PgBouncer.shared().before(postgres));
    }
}
