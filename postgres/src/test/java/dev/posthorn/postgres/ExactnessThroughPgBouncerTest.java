package dev.posthorn.postgres;

import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/** The same with all relays behind a pooler that has two connections for them. */
@Tag("slow")
class ExactnessThroughPgBouncerTest extends ExactnessTest {

    @Override
    DataSource forRelays(TestPostgres postgres) {
        return PgBouncer.shared().before(postgres);
    }
}
