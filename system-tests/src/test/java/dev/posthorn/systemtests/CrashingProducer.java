package dev.posthorn.systemtests;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A producer that says what it does, so that a test can kill it at the right moment: {@code emitted} before the commit,
 * {@code committed} after it.
 */
final class CrashingProducer {

    private CrashingProducer() {}

    /** The database, an account, and where to stop and wait: {@code before} the commit, {@code after} it, or {@code never}. */
    public static void main(String[] args) throws SQLException, IOException {
        String account = args[1];
        String stop = args[2];
        try (Connection connection = DriverManager.getConnection(args[0])) {
            connection.setAutoCommit(false);
            for (int i = 0; ; i++) {
                List<UUID> ids = Purchase.emit(connection, account, 1 + i % 3);
                say("emitted", ids);
                if (stop.equals("before")) {
                    System.in.read();
                }
                connection.commit();
                say("committed", ids);
                if (stop.equals("after")) {
                    System.in.read();
                }
            }
        }
    }

    private static void say(String what, List<UUID> ids) {
        System.out.println(what + " " + ids.stream().map(UUID::toString).collect(Collectors.joining(" ")));
    }
}
