package dev.posthorn.outbox;

import dev.posthorn.event.PosthornException;

/** The log's tables or functions are not in the database, or not in that schema. */
public final class SchemaMissingException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public SchemaMissingException(String schema, Throwable cause) {
        super(
                "Nothing was emitted: the schema \"" + schema + "\" has no outbox of this version. Run the migrations,"
                        + " or correct the schema's name. Roll the transaction back.",
                cause);
    }
}
