package dev.posthorn.postgres;

import dev.posthorn.testkit.InboxContract;
import dev.posthorn.testkit.TestInbox;
import java.sql.Connection;
import java.sql.SQLException;

/** The same as a role that may do no more than a consumer must. */
class ConsumerRoleInboxContractTest extends InboxContract<Connection> {

    @Override
    protected TestInbox<Connection> start() throws SQLException {
        TestPostgres postgres = InboxUnderTest.database();
        return InboxUnderTest.over(
                postgres,
                TestRole.create(postgres, Schema.DEFAULT, RoleKind.CONSUMER).dataSource());
    }
}
