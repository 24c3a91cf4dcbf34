package dev.posthorn.examples.holdco;

import java.util.List;

/** What the business is about: a table each, and an event for each change of a row. */
public enum Aggregate {
    ORDER("order", "orders", Way.OUTBOX, "created", "updated", "cancelled"),
    PAYMENT_INTENT("payment_intent", "payment_intents", Way.OUTBOX, "created", "captured", "failed"),
    INVOICE("invoice", "invoices", Way.OUTBOX, "issued", "paid"),
    STOCK_ADJUSTMENT("stock_adjustment", "stock_adjustments", Way.VIEW, "posted", "reversed"),
    PRICE_RULE("price_rule", "price_rules", Way.VIEW, "changed", "withdrawn");

    /** How its events come into the log. */
    enum Way {
        /** By Posthorn's own interface. */
        OUTBOX,
        /** By the INSERT into event_outbox that was there before Posthorn. */
        VIEW
    }

    private final String type;
    private final String table;
    private final Way way;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> eventTypes;

    Aggregate(String type, String table, Way way, String... eventTypes) {
        this.type = type;
        this.table = table;
        this.way = way;
        this.eventTypes = List.of(eventTypes);
    }

    /** The aggregate type of its events. */
    public String type() {
        return type;
    }

    /** What can happen to it. */
    public List<String> eventTypes() {
        return eventTypes;
    }

    String table() {
        return table;
    }

    Way way() {
        return way;
    }
}
