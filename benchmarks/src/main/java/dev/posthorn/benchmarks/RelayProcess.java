package dev.posthorn.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The process that a {@link RelayChild} starts: a relay with its standard settings that tells every publish on standard
 * output.
 *
 * <p>Standard input says what to do, a line each: URL, schema, route, relay, connection options. Each line after that
 * wakes the relay up, and the end of it ends the process.
 */
final class RelayProcess {

    /** As the connections of a relay process are called. */
    static final String APPLICATION = "posthorn bench relay";

    private static final int CONNECTIONS = 6;

    private RelayProcess() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(in.readLine());
        config.setMaximumPoolSize(CONNECTIONS);
        Schema schema = new Schema(in.readLine());
        String route = in.readLine();
        String name = in.readLine();
        config.addDataSourceProperty("ApplicationName", APPLICATION);
        config.addDataSourceProperty(
                "options", (PostgresRelayStores.connectionOptions() + " " + in.readLine()).strip());
        try (HikariDataSource pool = new HikariDataSource(config);
                Relay relay = Relay.start(
                        PostgresRelayStores.open(
                                pool, schema, Route.named(route).fromBeginning(), name),
                        new TellingPublisher(),
                        RelayConfig.standard(),
                        RoutePolicy.standard())) {
            while (in.readLine() != null) {
                relay.wakeUp();
            }
        }
    }

    /** Writes sequence and time of each event to standard output; that is all the publishing there is. */
    private static final class TellingPublisher implements Publisher {

        private final DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));

        @Override
        public synchronized void publish(List<? extends Publication> publications) {
            Outcome outcome = Outcome.accepted();
            try {
                for (Publication publication : publications) {
                    out.writeLong(publication.event().sequence().orElseThrow());
                    out.writeLong(Arrivals.now());
                }
                out.flush();
            } catch (IOException e) {
                outcome = Outcome.unavailable(Outcome.reasonOf(e));
            }
            for (Publication publication : publications) {
                publication.settle(outcome);
            }
        }

        @Override
        public void close() {}
    }
}
