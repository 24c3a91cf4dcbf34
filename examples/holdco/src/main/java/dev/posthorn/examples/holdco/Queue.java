package dev.posthorn.examples.holdco;

import java.util.List;

/**
 * The five queues, what each is bound for, and the table of its consumer's effects.
 *
 * <p>The design binds {@code stock_*.*} and {@code price_*.*}. In AMQP a {@code *} stands for a whole word, so these match
 * nothing, ever, and nobody is told. They are bound by aggregate type instead, one binding for each that there is.
 */
public enum Queue {
    ANALYTICS("analytics.ingest", "analytics_event", "#"),
    ERP("erp.sync", "erp_posting", "invoice.*", "payment_intent.*"),
    INVENTORY("inventory.reconcile", "inventory_movement", "stock_adjustment.*"),
    PRICING("pricing.refresh", "price_refresh", "price_rule.*"),
    NOTIFICATIONS("notifications", "notification", "order.*", "payment_intent.failed");

    /** Without a unique key on purpose: an effect that happens twice shall be seen. */
    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS holdco.{table} (
              n              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
              event_id       uuid        NOT NULL,
              aggregate_type text        NOT NULL,
              aggregate_id   uuid        NOT NULL,
              event_type     text        NOT NULL,
              version        bigint      NOT NULL,
              occurred_at    timestamptz NOT NULL
            )
            """;

    private static final String EFFECT = """
            INSERT INTO holdco.{table} (event_id, aggregate_type, aggregate_id, event_type, version, occurred_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """;

    private final String queueName;
    private final String effects;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> bindings;

    Queue(String queueName, String effects, String... bindings) {
        this.queueName = queueName;
        this.effects = effects;
        this.bindings = List.of(bindings);
    }

    /** Of the queue, of its subscriber and of its consumer. */
    public String queueName() {
        return queueName;
    }

    public List<String> bindings() {
        return bindings;
    }

    /** The table, in the schema holdco, of what its consumer did. */
    public String effects() {
        return effects;
    }

    String createTable() {
        return TABLE.replace("{table}", effects);
    }

    String insertEffect() {
        return EFFECT.replace("{table}", effects);
    }
}
