package dev.posthorn.transports.postgreslog;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogPublisherTest {

    private PostgresBroker broker;
    private Scene scene;

    @BeforeAll
    void start() {
        broker = new PostgresBroker();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @BeforeEach
    void open() {
        scene = new Scene(broker);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private List<Outcome> publish(DataSource dataSource, List<Event> events) {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        try (Publisher publisher = scene.bus(dataSource, scene.config()).publisher()) {
            publisher.publish(publications);
            return publications.stream().map(TrackedPublication::awaitOutcome).toList();
        }
    }

    private long inTheLog() {
        return scene.count("SELECT count(*) FROM " + scene.prefix() + ".outbox");
    }

    @Test
    void whatIsInTheLogAlreadyIsAcceptedAndChangesNothing() {
        List<Event> events = Scene.events(5, 2);
        scene.emit(events.subList(0, 3));

        List<Outcome> outcomes = publish(broker.pool(), events);

        assertThat(outcomes).hasSize(5).containsOnly(Outcome.accepted());
        assertThat(inTheLog()).isEqualTo(5);
    }

    @Test
    void anEventThatBreaksAConstraintIsRefusedAndTheOthersGoThrough() {
        scene.run("ALTER TABLE " + scene.prefix() + ".outbox ADD CHECK (type <> 'Bad')");
        List<Event> events = new ArrayList<>(Scene.events(6, 6));
        events.add(3, Event.of("orders", "Bad").key("bad").build());
        events.add(5, Event.of("orders", "Placed").key("bad").build());

        List<Outcome> outcomes = publish(broker.pool(), events);

        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(5)).as("behind it, of its key").isInstanceOf(Outcome.Failed.class);
        assertThat(outcomes.stream().filter(Outcome.accepted()::equals)).hasSize(6);
        assertThat(inTheLog()).isEqualTo(6);
    }

    @Test
    void aReadOnlyServerIsUnavailable() {
        try (HikariDataSource readOnly = pool("&options=-c%20default_transaction_read_only=on")) {
            assertThat(publish(readOnly, Scene.events(2, 2))).allMatch(Outcome.Unavailable.class::isInstance);
        }
    }

    @Test
    void aMissingSchemaIsUnavailable() {
        scene.run("DROP SCHEMA " + scene.prefix() + " CASCADE");

        assertThat(publish(broker.pool(), Scene.events(2, 2))).allMatch(Outcome.Unavailable.class::isInstance);
    }

    @Test
    void aSessionThatEndsBeforeTheCommitIsSentIsUnavailable() {
        StepwiseDataSource connections = new StepwiseDataSource(broker.pool(), broker.own()).countingAll();
        connections.strike(1, false);

        List<Outcome> outcomes = publish(connections, Scene.events(1, 1));

        assertThat(outcomes).allMatch(Outcome.Unavailable.class::isInstance);
        assertThat(inTheLog()).isZero();
    }

    @Test
    void aCommitWhoseAnswerIsLostIsUnavailableAndPublishingAgainChangesNothing() {
        StepwiseDataSource connections = new StepwiseDataSource(broker.pool(), broker.own()).countingAll();
        List<Event> events = Scene.events(3, 1);
        connections.strikeAtCommit();

        List<Outcome> first = publish(connections, events);
        List<Outcome> second = publish(broker.pool(), events);

        assertThat(first.get(0)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(second).containsOnly(Outcome.accepted());
        assertThat(inTheLog()).isEqualTo(3);
    }

    private HikariDataSource pool(String parameters) {
        HikariConfig hikari = new HikariConfig();
        hikari.setJdbcUrl(broker.server().jdbcUrl() + parameters);
        hikari.setMaximumPoolSize(2);
        return new HikariDataSource(hikari);
    }
}
