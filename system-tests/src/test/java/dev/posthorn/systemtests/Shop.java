package dev.posthorn.systemtests;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.EmbeddedPostgresBuilder;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.Schema;
import dev.posthorn.server.Main;
import dev.posthorn.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A durable Postgres with the business of a shop in it, the file that events are published to, and real relay
 * processes. Everything ends with it; what the processes logged stays under {@code target/system-tests}.
 */
final class Shop implements AutoCloseable {

    static final int ACCOUNTS = 64;
    static final Duration LEASE = Duration.ofSeconds(2);
    static final int BATCH = 32;
    static final int LANES = 16;
    /** What may be read but not checkpointed when a relay is killed: four batches for each lane. */
    static final int MOST_UNDER_WAY = 4 * BATCH * LANES;

    private final EmbeddedPostgres postgres;
    private String url;
    private final Path folder;
    private final List<JavaProcess> processes = new ArrayList<>();
    private final List<EmbeddedPostgres> standbys = new ArrayList<>();

    Shop(String test) {
        this(test, builder());
    }

    Shop(String test, EmbeddedPostgresBuilder builder) {
        postgres = builder.start();
        url = postgres.createDatabase("shop");
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        new Migrations(Schema.DEFAULT, LANES).migrate(source);
        run("CREATE TABLE account (id text PRIMARY KEY, version bigint NOT NULL DEFAULT 0)");
        run("INSERT INTO account (id) SELECT 'account-' || n FROM generate_series(0, " + (ACCOUNTS - 1) + ") AS n");
        try {
            Path parent = Files.createDirectories(
                    Modules.root().resolve("system-tests").resolve("target").resolve("system-tests"));
            folder = Files.createTempDirectory(parent, test + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static EmbeddedPostgresBuilder builder() {
        return EmbeddedPostgres.builder().setting("shared_buffers", "64MB");
    }

    /** Adds a standby, ends it with the shop, and tells whoever connects from now on to look for the primary of the two. */
    EmbeddedPostgres startStandby(EmbeddedPostgresBuilder builder) {
        EmbeddedPostgres standby = builder.standbyOf(postgres).start();
        standbys.add(standby);
        // docs/operations.md tells users to do the same.
        url = "jdbc:postgresql://127.0.0.1:" + postgres.port() + ",127.0.0.1:" + standby.port()
                + "/shop?user=postgres&targetServerType=primary&hostRecheckSeconds=1";
        return standby;
    }

    EmbeddedPostgres postgres() {
        return postgres;
    }

    String url() {
        return url;
    }

    Path published() {
        return folder.resolve("published.jsonl");
    }

    Path folder() {
        return folder;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** Records for every checkpoint who wrote it and who held the lane then. */
    Audit audit() {
        return new Audit(this);
    }

    /** Starts a relay process and returns once it says that it runs. */
    JavaProcess startRelay(String name) {
        return startRelay(name, LEASE);
    }

    JavaProcess startRelay(String name, Duration lease) {
        return started(launch(name, Main.class.getName(), relayArguments(url, name, lease)));
    }

    /** Starts a relay process that reaches the database by this address. */
    JavaProcess startRelayAt(String address, String name) {
        return started(launch(name, Main.class.getName(), relayArguments(address, name, LEASE)));
    }

    /** Starts a relay process with these variables in its environment. */
    JavaProcess startRelayWith(Map<String, String> environment, String name) {
        JavaProcess relay = JavaProcess.start(
                folder.resolve(name + ".log"), Main.class.getName(), relayArguments(url, name, LEASE), environment);
        processes.add(relay);
        return started(relay);
    }

    private static JavaProcess started(JavaProcess relay) {
        String line = relay.readLine();
        if (!line.contains("\"event\":\"started\"")) {
            throw new AssertionError("Instead of starting, the relay said: " + line);
        }
        return relay;
    }

    private List<String> relayArguments(String address, String name, Duration lease) {
        return List.of(
                "relay",
                "--database-url=" + address,
                "--transport=file:" + published(),
                "--name=" + name,
                "--lease-ttl=" + lease.toMillis() + "ms",
                "--batch=" + BATCH,
                "--json");
    }

    JavaProcess launch(String name, String mainClass, List<String> args) {
        JavaProcess process = JavaProcess.start(folder.resolve(name + ".log"), mainClass, args);
        processes.add(process);
        return process;
    }

    /** Waits until these relays together hold every lane, each its share; tells how long that took. */
    Duration awaitLanes(Duration patience, String... relays) {
        int least = LANES / relays.length - 1;
        return Await.within(
                patience,
                () -> "every lane is with " + List.of(relays) + ", but " + lanes(),
                () -> lanesOf(relays) == LANES && List.of(relays).stream().allMatch(relay -> lanesOf(relay) >= least));
    }

    private List<String> lanes() {
        return rows("SELECT coalesce(owner, '-') || ': ' || count(*) || ' with '"
                + " || count(*) FILTER (WHERE expires_at > clock_timestamp()) || ' unexpired'"
                + " FROM posthorn.lease GROUP BY owner");
    }

    /** Waits until the newest checkpoints cover everything that was emitted. */
    void awaitDrained() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        PostgresInspection inspection = new PostgresInspection(source, Schema.DEFAULT);
        Await.within(
                Duration.ofMinutes(2),
                () -> "nothing waits, but " + inspection.lanes() + inspection.offWay(),
                () -> inspection.lanes().stream().allMatch(lane -> lane.waiting() == 0)
                        && inspection.offWay().stream().allMatch(route -> route.blockedKeys() == 0));
    }

    /** How many lanes these relays hold now. */
    int lanesOf(String... relays) {
        return (int) number("SELECT count(*) FROM posthorn.lease WHERE expires_at > clock_timestamp() AND owner IN ('"
                + String.join("', '", relays) + "')");
    }

    long number(String sql) {
        return Long.parseLong(rows(sql).get(0));
    }

    /** The first column. */
    List<String> rows(String sql) {
        return rows(url, sql);
    }

    /** The same on a server of one's choice. */
    static List<String> rows(String server, String sql) {
        try (Connection connection = DriverManager.getConnection(server);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void run(String sql) {
        run(url, sql);
    }

    static void run(EmbeddedPostgres server, String sql) {
        run(server.jdbcUrl("shop"), sql);
    }

    static void run(String server, String sql) {
        try (Connection connection = DriverManager.getConnection(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        processes.forEach(JavaProcess::close);
        standbys.forEach(EmbeddedPostgres::close);
        postgres.close();
    }
}
