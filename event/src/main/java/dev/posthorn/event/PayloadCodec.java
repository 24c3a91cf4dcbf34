package dev.posthorn.event;

/** Turns a value into payload bytes and back. Implementations are thread-safe and bring their own library. */
public interface PayloadCodec {

    /** The content type of what {@link #encode} makes, such as {@code application/json}. */
    String contentType();

    /** The exact bytes that travel. Throws {@link PosthornException} if the value can not be encoded. */
    byte[] encode(Object value);

    /** The value that the bytes stand for. Throws {@link PosthornException} if they can not be decoded as that type. */
    <T> T decode(byte[] payload, Class<T> type);
}
