package dev.posthorn.spring;

import dev.posthorn.postgres.Migrations;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Looks at everything that can be wrong at the start before anything happens, and names all of it at once; then brings the schema
 * up to date. Whoever uses the log depends on it.
 */
final class StartCheck {

    /** A part that can say what is wrong with it; it adds a sentence for each fault. */
    interface Part extends Consumer<List<String>> {}

    /** Throws with every fault, if there is any. */
    StartCheck(StartFaults gathered, List<Part> parts) {
        List<String> faults = new ArrayList<>(gathered.all());
        parts.forEach(part -> part.accept(faults));
        InvalidPropertiesException.throwIfAny(faults.stream().distinct().toList());
    }

    /** Brings the schema up to date, or checks that it is. */
    static void prepare(LogPlace place, boolean migrate) {
        Migrations migrations = new Migrations(place.schema());
        if (migrate) {
            migrations.migrate(place.database());
        } else {
            migrations.validate(place.database());
        }
    }
}
