package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import dev.posthorn.relay.Route;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.DestinationRegister;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DestinationsTest {

    private static final String SHOP = "kafka://broker:9092, prefix shop";
    private static final String MISSPELLED = "kafka://broker:9092, prefix shpo";

    private TestPostgres postgres;
    private PostgresDestinations destinations;

    @BeforeEach
    void createRoute() {
        postgres = TestPostgres.migrated();
        destinations = new PostgresDestinations(postgres.dataSource(), Schema.DEFAULT);
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT).create(Route.named("main"));
    }

    @Test
    void theFirstProcessOfARouteDecidesWhereItPublishesUntilSomeoneConfirmsAnotherPlace() {
        assertThat(destinations.settle("main", SHOP)).contains(SHOP);
        assertThat(destinations.settle("main", MISSPELLED)).contains(SHOP);

        assertThat(destinations.as("ada").redirect("main", MISSPELLED, "it moved"))
                .isTrue();
        assertThat(destinations.redirect("main", MISSPELLED, "again")).isFalse();

        assertThat(destinations.settle("main", SHOP)).contains(MISSPELLED);
        assertThat(new PostgresAudit(postgres.dataSource(), Schema.DEFAULT)
                        .newest("ada", "redirect", PostgresAudit.END, 10))
                .hasSize(1);
    }

    @Test
    void aRouteThatIsNotThereHasNoDestination() {
        assertThat(destinations.settle("other", SHOP)).isEmpty();
        assertThatThrownBy(() -> destinations.redirect("other", SHOP, "why"))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("There is no route \"other\"");
    }

    @Test
    void aDestinationThatIsMissingIsKnownToEveryProcessUntilItMayBeCreated() {
        DestinationRegister one = destinations.register(SHOP);
        DestinationRegister another = destinations.register(SHOP);
        assertThat(one.isKnown(DestinationKind.TOPIC, "shop-events-orders")).isFalse();
        one.found(DestinationKind.TOPIC, "shop-events-orders");
        assertThat(another.isKnown(DestinationKind.TOPIC, "shop-events-orders")).isTrue();
        assertThat(destinations.allow("shop-events-orders", null))
                .as("one that exists")
                .isZero();

        one.missing(DestinationKind.TOPIC, "shop-events-orders");

        assertThat(destinations.list()).singleElement().satisfies(found -> {
            assertThat(found.missingSince()).isPresent();
            assertThat(found.kind()).isEqualTo("topic");
        });
        assertThat(destinations.allow("shop-events-orders", "the broker was wiped"))
                .isEqualTo(1);
        assertThat(one.isKnown(DestinationKind.TOPIC, "shop-events-orders")).isFalse();
        one.found(DestinationKind.TOPIC, "shop-events-orders");
        another.found(DestinationKind.TOPIC, "shop-events-orders");
        assertThat(destinations.list().get(0).missingSince()).isEmpty();
    }

    @Test
    void thoseThatNobodySubscribesToAreListedWithTheirRoutes() {
        destinations.settle("main", SHOP);
        DestinationRegister register = destinations.register(SHOP);
        register.found(DestinationKind.TOPIC, "shop-events-orders");
        register.found(DestinationKind.TOPIC, "shop-events-stock");
        register.found(DestinationKind.DEAD_LETTERS, "shop-dlq-orders");
        assertThat(destinations.ofEvents(SHOP)).isEqualTo(Set.of("shop-events-orders", "shop-events-stock"));

        destinations.unheard(SHOP, List.of("shop-events-stock"));

        assertThat(destinations.list())
                .filteredOn(one -> one.unheardSince().isPresent())
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.name()).isEqualTo("shop-events-stock");
                    assertThat(one.routes()).containsExactly("main");
                });
        destinations.unheard(SHOP, List.of());
        assertThat(destinations.list()).allMatch(one -> one.unheardSince().isEmpty());
    }

    @Test
    void everyoneMayDoTheirPartAndNoMore() throws SQLException {
        TestRole relay = TestRole.create(postgres, Schema.DEFAULT, RoleKind.RELAY);
        TestRole consumer = TestRole.create(postgres, Schema.DEFAULT, RoleKind.CONSUMER);
        String found = "SELECT posthorn.found_destination('p', 'topic', 'n')";

        assertThat(relay.rows(found)).hasSize(1);
        assertThat(consumer.rows(found)).hasSize(1);
        relay.assertMayNot("SELECT posthorn.create_destination('n', 'why')");
        consumer.assertMayNot("SELECT posthorn.redirect_route('main', 'p', 'why')");
        consumer.assertMayNot("DELETE FROM posthorn.destination");
    }
}
