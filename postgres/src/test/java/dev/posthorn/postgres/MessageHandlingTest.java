package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.effect;
import static dev.posthorn.postgres.ConsumerHarness.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.DispatchResult;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.MessageHandling;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What people with a loop of their own are told about each message. */
@Tag("exact")
class MessageHandlingTest {

    private static final byte[] BYTES = {0, (byte) 0xC3, '{', (byte) 0xFF, '\n'};
    private static final Message NO_EVENT = new Message(Map.of("content-type", "text/plain", "x-odd", "ü"), BYTES);

    private static final EventHandler<Connection> FAILING = EventHandler.of((event, connection) -> {
        ConsumerHarness.write("bill", event, connection);
        throw new IllegalStateException("the ledger is closed");
    });

    private static final DeadLetterTarget DOWN = letter -> {
        throw new IllegalStateException("the dead letters are out of reach");
    };

    private ConsumerHarness harness;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private MessageHandling<Connection> handling(EventHandler<Connection> handler, DeadLetterChain chain) {
        return new MessageHandling<>(
                config(),
                Handlers.<Connection>none().on("order.placed", "bill", handler),
                new Equipment<>(
                        new PostgresInbox(harness.pool, Schema.DEFAULT),
                        chain,
                        new PostgresConsumers(harness.pool, Schema.DEFAULT)));
    }

    private DeadLetterChain inPostgres() {
        return DeadLetterChain.of(new PostgresDeadLetters(harness.pool, Schema.DEFAULT), DeadLetterTarget.TRANSPORT);
    }

    @Test
    void whatIsHandledNowOrBeforeIsASuccess() {
        Event event = event("a");

        try (MessageHandling<Connection> handling = handling(effect("bill"), inPostgres())) {
            assertThat(handling.process(EventMessage.of(event), 1)).isEqualTo(DispatchResult.SUCCESS);
            assertThat(handling.process(EventMessage.of(event), 2)).isEqualTo(DispatchResult.SUCCESS);
        }

        assertThat(DispatchResult.SUCCESS.shouldAck()).isTrue();
        assertThat(harness.effects()).containsExactly("bill " + event.id());
    }

    @Test
    void aFailureIsGivenBackUntilItsLastAttemptIsADeadLetter() {
        Event event = event("a");

        try (MessageHandling<Connection> handling = handling(FAILING, inPostgres())) {
            assertThat(handling.process(event, 1)).isEqualTo(DispatchResult.HANDLER_FAILED);
            assertThat(handling.process(event, 2)).isEqualTo(DispatchResult.HANDLER_FAILED);
            assertThat(harness.letters()).isEmpty();
            assertThat(handling.process(event, 3)).isEqualTo(DispatchResult.SUCCESS);
        }

        assertThat(DispatchResult.HANDLER_FAILED.shouldAck()).isFalse();
        assertThat(harness.effects()).isEmpty();
        assertThat(harness.letters()).singleElement().asString().startsWith("DEAD bill processing-failed 3 ");
    }

    @Test
    void whatIsNoEventIsKeptByteForByteBeforeItMayBeAcknowledged() {
        try (MessageHandling<Connection> handling = handling(effect("bill"), inPostgres())) {
            assertThat(handling.process(NO_EVENT, 1)).isEqualTo(DispatchResult.DECODE_ERROR);
            assertThat(handling.process(NO_EVENT, 2))
                    .as("it comes again after a crash before the ack")
                    .isEqualTo(DispatchResult.DECODE_ERROR);
        }

        assertThat(DispatchResult.DECODE_ERROR.shouldAck()).isTrue();
        assertThat(harness.rows("SELECT cause, encode(body, 'hex'), headers ->> 'x-odd' FROM posthorn.dead_letter"))
                .containsExactly("undecodable|" + HexFormat.of().formatHex(BYTES) + "|ü");
    }

    /** There is no delivery to reject here: who would acknowledge it loses it. */
    @Test
    void whatNobodyCouldKeepIsGivenBack() {
        Event event = event("a");
        for (DeadLetterChain chain : new DeadLetterChain[] {
            DeadLetterChain.of(DOWN),
            DeadLetterChain.of(DOWN, DeadLetterTarget.TRANSPORT),
            DeadLetterChain.transport(),
            DeadLetterChain.of(DOWN).alsoToTransport()
        }) {
            try (MessageHandling<Connection> handling = handling(FAILING, chain)) {
                assertThat(handling.process(NO_EVENT, 1)).isEqualTo(DispatchResult.HANDLER_FAILED);
                assertThat(handling.process(event, 3)).isEqualTo(DispatchResult.HANDLER_FAILED);
            }
        }

        try (MessageHandling<Connection> handling =
                handling(FAILING, inPostgres().alsoToTransport())) {
            assertThat(handling.process(NO_EVENT, 1)).isEqualTo(DispatchResult.DECODE_ERROR);
            assertThat(handling.process(event, 3)).isEqualTo(DispatchResult.SUCCESS);
        }
        assertThat(harness.letters()).hasSize(2);
    }

    @Test
    void whileTheDatabaseIsAwayEverythingIsGivenBackAndNothingIsCharged() throws SQLException {
        InterceptedDataSource database = new InterceptedDataSource(harness.postgres);
        try (MessageHandling<Connection> handling = new MessageHandling<>(
                config(),
                Handlers.<Connection>none().onAll("bill", effect("bill")),
                PostgresInbox.equipment(database, Schema.DEFAULT))) {
            database.beforeConnecting = () -> {
                throw new SQLException("the server is away", "08001");
            };
            assertThat(handling.process(event("a"), 3)).isEqualTo(DispatchResult.HANDLER_FAILED);
            assertThat(handling.process(NO_EVENT, 1)).isEqualTo(DispatchResult.HANDLER_FAILED);

            database.beforeConnecting = () -> {};
            assertThat(handling.process(event("a"), 3)).isEqualTo(DispatchResult.SUCCESS);
        }

        assertThat(harness.letters()).isEmpty();
        assertThat(harness.effects()).hasSize(1);
    }
}
