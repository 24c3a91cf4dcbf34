package dev.posthorn.examples.springshop;

import dev.posthorn.event.Event;
import dev.posthorn.spring.EventHandler;
import dev.posthorn.spring.SpringOutbox;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Writes an invoice for each order, once. */
@Component
class Billing {

    private final JdbcClient database;
    private final SpringOutbox outbox;

    Billing(JdbcClient database, SpringOutbox outbox) {
        this.database = database;
        this.outbox = outbox;
    }

    // docs:start:spring-handle
    @EventHandler(consumer = "billing", types = "order.placed")
    void bill(Order order, Event event) {
        database.sql("INSERT INTO invoices (order_id, total) VALUES (?, ?)")
                .params(order.id(), order.total())
                .update();
        outbox.emit(Event.of("billing", "invoice.written")
                .key(order.id())
                .causationId(event.id().toString())
                .json("{}")
                .build());
    }
    // docs:end:spring-handle
}
