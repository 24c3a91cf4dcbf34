package dev.posthorn.transports.postgreslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.transport.Outcome;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogWriterTest {

    @Test
    void aServerThatIsDownStartsFailsOverOrIsFullIsUnavailable() {
        List<String> states = List.of(
                "08000", "08001", "08003", "08006", // connection
                "57P01", "57P02", "57P03", "57P05", // shut down, crashed, starting, idle session
                "53000", "53100", "53200", "53300", // disk, memory, connections
                "25006", // read only, as after a failover
                "28000", "28P01", "42501", "3D000", "42P01", // may not, or is not there
                "58030", "XX000", "XX001"); // I/O error, internal

        assertThat(states).allSatisfy(state -> assertThat(of(state)).isInstanceOf(Outcome.Unavailable.class));
    }

    @Test
    void whatMetAnotherTransactionOrRanOutOfTimeIsTheEventsFaultOnlyWhileOthersGoThrough() {
        assertThat(List.of("40001", "40P01", "55P03", "57014"))
                .allSatisfy(state -> assertThat(of(state)).isInstanceOf(Outcome.Unknown.class));
    }

    @Test
    void onlyWhatIsWrongWithTheEventIsRefused() {
        assertThat(List.of("22001", "22021", "22P05", "23502", "23514", "54000"))
                .allSatisfy(state -> assertThat(of(state)).isInstanceOf(Outcome.Refused.class));
    }

    private static Outcome of(String state) {
        return LogWriter.outcomeOf(new EmitFailedException(new SQLException("the database says no", state), false));
    }
}
