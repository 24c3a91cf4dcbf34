package dev.posthorn.transport;

/** Something that was brought to a subscriber and is no event. */
public interface RawDelivery extends Receipt {

    /** As it came. */
    Message message();

    /** Why it is no event. */
    String reason();
}
