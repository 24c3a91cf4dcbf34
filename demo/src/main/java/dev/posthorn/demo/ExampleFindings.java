package dev.posthorn.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What the database says about the run of an example, in numbers of events. What each number means there, its auditor says.
 *
 * @param expected events of what was committed
 * @param arrived of those, how many had their effect where every event has one
 * @param invented effects of nothing that was committed
 * @param twice effects beyond the first, of any kind
 * @param outOfOrder effects after that of a later event of the same thing
 * @param amiss what else is not as it should be in the end
 */
record ExampleFindings(long expected, long arrived, long invented, long twice, long outOfOrder, long amiss) {

    /** Those of a query for these six numbers. What Postgres knows of the tables' sizes is renewed first. */
    static ExampleFindings of(Connection connection, String tables, String query) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE " + tables);
            try (ResultSet row = statement.executeQuery(query)) {
                row.next();
                return new ExampleFindings(
                        row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5), row.getLong(6));
            }
        }
    }

    long lost() {
        return expected - arrived;
    }

    boolean isClean() {
        return lost() == 0 && invented == 0 && twice == 0 && outOfOrder == 0 && amiss == 0;
    }
}
