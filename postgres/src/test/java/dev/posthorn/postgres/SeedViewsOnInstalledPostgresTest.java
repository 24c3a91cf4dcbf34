package dev.posthorn.postgres;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same on the machine's own server, which is usually an older one: how views are written to is Postgres's business. */
@Tag("slow")
class SeedViewsOnInstalledPostgresTest extends SeedViewsTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void startServer() {
        server = InstalledPostgres.find().start();
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    TestPostgres start() {
        return TestPostgres.migrated(server);
    }
}
