package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Outcome;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Something to send, and where to tell what became of it. */
interface Parcel {

    String topic();

    /** Made when it is sent; the timestamp is left to that moment. */
    ProducerRecord<byte[], byte[]> record();

    /** Called once, on any thread. */
    void settle(Outcome outcome);

    /** Topics for dead letters are made another way. */
    boolean isDeadLetter();
}
