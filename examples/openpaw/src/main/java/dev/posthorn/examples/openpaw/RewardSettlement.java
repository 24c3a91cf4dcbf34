package dev.posthorn.examples.openpaw;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandlers;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.Workflow;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresCommands;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;

/** A version that somebody wrote earns a reward: an event sends a command, and the command starts one workflow run. Thread-safe. */
public final class RewardSettlement {

    private static final String FIRST_VERSION = "10.00";
    private static final String LATER_VERSION = "5.00";
    private static final String ENTRY = """
            INSERT INTO rewards.ledger_entries (run_id, tenant_id, author, site, asset_id, version, amount)
            VALUES (?, ?, ?, ?, ?, ?, ?::numeric)
            """;

    private final Outbox outbox;

    public RewardSettlement(Outbox outbox) {
        this.outbox = outbox;
    }

    // docs:start:openpaw-command
    /** Sends a command for each version that is no copy, in the transaction of the mark. */
    EventHandler<Connection> handler() {
        return EventHandler.of((event, connection) -> {
            if (!AssetVersion.of(event).isCopy()) {
                outbox.emit(connection, commandFor(event).event());
            }
        });
    }

    /** The same command for the same event, whoever makes it: its id and its idempotency key come from the event's id. */
    public static Command commandFor(Event created) {
        String key = Openpaw.SETTLE_REWARD + "/" + created.id();
        Event event = Event.of(Openpaw.DOMAIN, Openpaw.SETTLE_REWARD)
                .id(UUID.nameUUIDFromBytes(key.getBytes(UTF_8)))
                .key(created.key().orElse(null))
                .tenant(created.tenant().orElse(null))
                .correlationId(created.correlationId().orElse(null))
                .causationId(created.id().toString())
                .json(AssetVersion.of(created).json())
                .build();
        return Command.of(event, key);
    }
    // docs:end:openpaw-command

    /** Runs the commands. The lease is how long a step may take. */
    public CommandRunner<Connection> runner(DataSource database, Duration lease) {
        return PostgresCommands.runner(
                database,
                Schema.DEFAULT,
                CommandHandlers.<Connection>none().on(Openpaw.SETTLE_REWARD, Openpaw.SETTLE_REWARD, this::settle),
                lease);
    }

    // docs:start:openpaw-workflow
    private String settle(Command command, Workflow<Connection> workflow) throws Exception {
        AssetVersion version = AssetVersion.of(command.event());
        String amount = workflow.step("compute", connection -> amountOf(version));
        workflow.effect("ledger", connection -> enter(connection, workflow.run(), command, amount));
        workflow.effect(
                "notify",
                connection -> outbox.emit(
                        connection, Openpaw.following(command.event(), Openpaw.REWARD_SETTLED, version.json(amount))));
        return amount;
    }
    // docs:end:openpaw-workflow

    private static String amountOf(AssetVersion version) {
        return version.number() == 1 ? FIRST_VERSION : LATER_VERSION;
    }

    private static void enter(Connection connection, UUID run, Command command, String amount) throws SQLException {
        AssetVersion version = AssetVersion.of(command.event());
        try (PreparedStatement insert = connection.prepareStatement(ENTRY)) {
            insert.setObject(1, run);
            insert.setString(2, command.tenant().orElse(""));
            insert.setString(3, version.author());
            insert.setString(4, version.site().word());
            insert.setString(5, version.asset());
            insert.setInt(6, version.number());
            insert.setString(7, amount);
            insert.executeUpdate();
        }
    }
}
