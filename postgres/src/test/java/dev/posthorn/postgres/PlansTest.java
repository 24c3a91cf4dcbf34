package dev.posthorn.postgres;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;

class PlansTest extends PlansCase {

    @Override
    EmbeddedPostgres start() {
        return EmbeddedPostgres.builder()
                .unsafeFast()
                .setting("autovacuum", "off")
                .start();
    }
}
