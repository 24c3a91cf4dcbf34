package dev.posthorn.postgres;

import dev.posthorn.testkit.InboxContract;
import dev.posthorn.testkit.TestInbox;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

/** The same through a pooler in transaction mode. */
@Tag("slow")
class PgBouncerInboxContractTest extends InboxContract<Connection> {

    @Override
    protected TestInbox<Connection> start() throws SQLException {
        TestPostgres postgres = InboxUnderTest.database();
        return InboxUnderTest.over(postgres, PgBouncer.shared().before(postgres));
    }
}
