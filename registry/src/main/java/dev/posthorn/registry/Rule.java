package dev.posthorn.registry;

import java.util.Locale;

/** What an event can break. */
public enum Rule {
    /** The registry has no such type. */
    UNKNOWN_TYPE,
    /** The type belongs to another domain. */
    WRONG_DOMAIN,
    /** The registry has the type, but not in the version that the event says. */
    UNKNOWN_VERSION,
    /** The aggregate has another type, or none. */
    WRONG_AGGREGATE_TYPE,
    /** The aggregate has no id. */
    MISSING_AGGREGATE_ID,
    /** The payload has no bytes. */
    MISSING_PAYLOAD,
    /** The payload is the JSON null. */
    NULL_PAYLOAD,
    /** The payload is not of the form that the contract asks for, such as JSON. */
    UNDECODABLE_PAYLOAD,
    /** The payload has the form, but not what the contract asks for. */
    INVALID_PAYLOAD;

    /** Such as {@code unknown-type}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
