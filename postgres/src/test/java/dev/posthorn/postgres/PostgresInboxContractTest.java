package dev.posthorn.postgres;

import dev.posthorn.testkit.InboxContract;
import dev.posthorn.testkit.TestInbox;
import java.sql.Connection;
import java.sql.SQLException;

/** The contract of inboxes, for the one in Postgres. */
class PostgresInboxContractTest extends InboxContract<Connection> {

    @Override
    protected TestInbox<Connection> start() throws SQLException {
        TestPostgres postgres = InboxUnderTest.database();
        return InboxUnderTest.over(postgres, postgres.dataSource());
    }
}
