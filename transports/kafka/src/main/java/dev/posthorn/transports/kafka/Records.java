package dev.posthorn.transports.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** How an event is a Kafka record: its key as the key, its payload as the value, all else in headers. */
final class Records {

    private static final byte[] EMPTY = {};

    private Records() {}

    /**
     * Without a timestamp, so that it gets that of its sending: Kafka removes records by their timestamp, and an old event
     * that is published now must not be gone at once.
     */
    static ProducerRecord<byte[], byte[]> of(Event event, String topic) {
        Headers headers = new RecordHeaders();
        EventMessage.headersOf(event).forEach((name, value) -> headers.add(name, value.getBytes(UTF_8)));
        byte @Nullable [] key = event.key().map(value -> value.getBytes(UTF_8)).orElse(null);
        return new ProducerRecord<>(topic, null, null, key, event.payloadBytes(), headers);
    }

    /** What may be an event. Of headers with one name the last counts. */
    static Message message(ConsumerRecord<byte[], byte[]> record) {
        byte[] body = record.value();
        return new Message(headers(record), body == null ? EMPTY : body);
    }

    static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : record.headers()) {
            byte[] value = header.value();
            if (value != null) {
                headers.put(header.key(), new String(value, UTF_8));
            }
        }
        return headers;
    }
}
