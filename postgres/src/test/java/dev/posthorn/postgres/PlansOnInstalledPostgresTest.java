package dev.posthorn.postgres;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;

/** The same on the machine's own server, which is usually an older one. */
@Tag("slow")
class PlansOnInstalledPostgresTest extends PlansCase {

    @Override
    EmbeddedPostgres start() {
        List<Path> installed = EmbeddedPostgres.installed();
        if (installed.isEmpty()) {
            String why = "no Postgres server is installed on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("Plans on an installed server are not tested: " + why);
            Assumptions.abort(why);
        }
        return EmbeddedPostgres.builder()
                .binaries(installed.get(0))
                .unsafeFast()
                .setting("autovacuum", "off")
                .start();
    }
}
