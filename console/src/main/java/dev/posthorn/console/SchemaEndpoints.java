package dev.posthorn.console;

import dev.posthorn.console.Endpoint.Manual;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresRebase;
import java.util.List;

/** What the schema is, for the version of this process. Changing it takes its owner and is not done from here. */
final class SchemaEndpoints {

    private final Live live;

    SchemaEndpoints(Live live) {
        this.live = live;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.get(
                        "/v1/schema",
                        Right.READ,
                        Manual.of("Whether the schema is what this version needs.", "Schema"),
                        call -> validate(live.desk())),
                Endpoint.get(
                        "/v1/rebase",
                        Right.READ,
                        Manual.of("Whether the log was restored from a dump and needs a rebase.", "RebaseNeeds"),
                        call -> needs(live.desk())));
    }

    private static Answer validate(Desk desk) {
        return Answer.json(SchemaFormat.validate(desk.database(), desk.schema(), new Migrations(desk.schema())));
    }

    private static Answer needs(Desk desk) {
        return Answer.json(SchemaFormat.json(new PostgresRebase(desk.database(), desk.schema()).needs()));
    }
}
