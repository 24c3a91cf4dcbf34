package dev.posthorn.postgres;

/** The database schema that holds the log; several may live in one database. */
public record Schema(String name) {

    /** {@code posthorn}. */
    public static final Schema DEFAULT = new Schema("posthorn");

    private static final String PLACEHOLDER = "{schema}";

    public Schema {
        Identifiers.quote(name);
        if (name.indexOf('$') >= 0) {
            throw new IllegalArgumentException("The name \"" + name
                    + "\" contains $, which can not stand in a function body. Choose another name.");
        }
    }

    /** The name as it stands in a statement. */
    String quoted() {
        return Identifiers.quote(name);
    }

    /** The statement with this schema's name in every place that asks for it. */
    String in(String sql) {
        return sql.replace(PLACEHOLDER, quoted());
    }
}
