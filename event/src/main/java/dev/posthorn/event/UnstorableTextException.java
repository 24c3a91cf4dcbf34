package dev.posthorn.event;

/** A name or value that the database cannot store as it is. It was refused before anything was sent. */
public final class UnstorableTextException extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final String field;
    private final String why;

    public UnstorableTextException(String field, String why) {
        super("Cannot store " + field + ": it " + why
                + ". Nothing was sent to the database; correct it and try again.");
        this.field = field;
        this.why = why;
    }

    /** How users know the text. */
    public String field() {
        return field;
    }

    /** A phrase that follows the name of the field. */
    public String why() {
        return why;
    }
}
