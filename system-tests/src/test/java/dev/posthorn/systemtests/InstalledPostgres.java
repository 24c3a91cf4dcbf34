package dev.posthorn.systemtests;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.EmbeddedPostgresBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The machine's own Postgres, for what the bundled one lacks. */
final class InstalledPostgres {

    private InstalledPostgres() {}

    /** A server that standbys can be made of. Where there is none the test is skipped, or fails with CI=true. */
    static EmbeddedPostgresBuilder builder() {
        return Shop.builder().binaries(withBaseBackup());
    }

    private static Path withBaseBackup() {
        return EmbeddedPostgres.installed().stream()
                .filter(folder -> Files.isExecutable(folder.resolve("pg_basebackup")))
                .findFirst()
                .orElseGet(() -> {
                    String why = "no Postgres server with pg_basebackup is installed on this machine";
                    if ("true".equals(System.getenv("CI"))) {
                        Assertions.fail("CI must run this test, but " + why);
                    }
                    System.out.println("No failover is tested: " + why);
                    return Assumptions.abort(why);
                });
    }
}
