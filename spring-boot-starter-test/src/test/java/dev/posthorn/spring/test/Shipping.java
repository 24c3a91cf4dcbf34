package dev.posthorn.spring.test;

import dev.posthorn.event.Event;
import dev.posthorn.spring.EventHandler;
import dev.posthorn.spring.SpringOutbox;
import org.springframework.stereotype.Component;

@Component
class Shipping {

    private final SpringOutbox outbox;

    Shipping(SpringOutbox outbox) {
        this.outbox = outbox;
    }

    record Order(String id) {}

    @EventHandler(consumer = "shipping", types = "order.placed")
    void ship(Order order) {
        outbox.emit(
                Event.of("shipping", "order.shipped").key(order.id()).json("{}").build());
    }
}
