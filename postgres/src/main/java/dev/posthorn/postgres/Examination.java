package dev.posthorn.postgres;

import dev.posthorn.postgres.PostgresDoctor.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** What the doctor's checks look at and where they write down what they find. */
record Examination(
        DataSource database,
        Connection connection,
        Schema schema,
        DoctorLimits limits,
        DoctorSetup setup,
        List<Finding> findings) {

    void found(Finding finding) {
        findings.add(finding);
    }

    void found(String check, boolean serious, String what, String advice) {
        findings.add(new Finding(check, serious, what, advice));
    }

    /** The first column of every row. */
    List<String> ask(String statement, Object... values) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(Sql.load(statement, schema))) {
            Parameters bind = new Parameters(query);
            for (Object value : values) {
                bind.given("parameter of " + statement, value);
            }
            try (ResultSet rows = query.executeQuery()) {
                List<String> answers = new ArrayList<>();
                while (rows.next()) {
                    answers.add(rows.getString(1));
                }
                return answers;
            }
        }
    }
}
