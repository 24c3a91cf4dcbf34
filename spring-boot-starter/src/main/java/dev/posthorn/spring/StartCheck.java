package dev.posthorn.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

    /** Creates the schema in an empty database, brings it up to date if that is wanted, and checks it. */
    static void prepare(LogPlace place, @Nullable Boolean migrate) {
        place.watch().prepare(Optional.ofNullable(migrate), "posthorn.migrate=true");
    }
}
