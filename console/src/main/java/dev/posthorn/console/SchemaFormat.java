package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.InvalidSchemaException;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresRebase.Needs;
import dev.posthorn.postgres.Schema;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Whether a schema is what it should be. */
public final class SchemaFormat {

    private SchemaFormat() {}

    /** Compares the schema with these migrations. */
    public static ObjectNode validate(DataSource database, Schema schema, Migrations migrations) {
        try {
            migrations.validate(database);
            return json(schema, migrations.missingIndexes(database), migrations.note(database));
        } catch (InvalidSchemaException invalid) {
            return json(schema, invalid.faults(), Optional.empty());
        }
    }

    private static ObjectNode json(Schema schema, List<String> faults, Optional<String> note) {
        ObjectNode json = Json.object().put("schema", schema.name()).put("valid", faults.isEmpty());
        json.set("faults", Json.strings(faults));
        json.set("notes", Json.strings(note.stream().toList()));
        return json;
    }

    /** Whether the log was restored from a dump. */
    public static ObjectNode json(Needs needs) {
        return Json.object()
                .put("needed", needs.any())
                .put("moved", needs.moved())
                .put("ahead", needs.ahead())
                .put("lanes_moved", needs.lanesMoved());
    }
}
