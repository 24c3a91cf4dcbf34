package dev.posthorn.examples.springshop;

import dev.posthorn.event.Event;
import dev.posthorn.event.PayloadCodec;
import dev.posthorn.spring.SpringOutbox;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders, and tells of it. */
@Service
public class Orders {

    private final JdbcClient database;
    private final SpringOutbox outbox;
    private final PayloadCodec json;

    Orders(JdbcClient database, SpringOutbox outbox, PayloadCodec json) {
        this.database = database;
        this.outbox = outbox;
        this.json = json;
    }

    // docs:start:spring-emit
    @Transactional
    public void place(Order order) {
        database.sql("INSERT INTO orders (id, total) VALUES (?, ?)")
                .params(order.id(), order.total())
                .update();
        outbox.emit(Event.of("shop", "order.placed")
                .key(order.id())
                .payload(order, json)
                .build());
        if (order.total() < 0) {
            throw new IllegalArgumentException("an order has no negative total"); // and no event is ever published
        }
    }
    // docs:end:spring-emit

    /** Not in a transaction, so this throws: nothing could be kept together with the event. */
    public void announce(String text) {
        outbox.emit(Event.of("shop", "announced").json("\"" + text + "\"").build());
    }
}
