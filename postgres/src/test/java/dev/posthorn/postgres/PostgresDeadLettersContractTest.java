package dev.posthorn.postgres;

import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.testkit.DeadLetterContract;
import java.util.List;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresDeadLettersContractTest extends DeadLetterContract {

    private static final TestPostgres POSTGRES = TestPostgres.migrated();

    @Override
    protected DeadLetterTarget target() {
        return new PostgresDeadLetters(POSTGRES.dataSource(), Schema.DEFAULT);
    }

    @Override
    protected DeadLetterTarget unreachable() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/none?connectTimeout=2");
        return new PostgresDeadLetters(nowhere, Schema.DEFAULT);
    }

    @Override
    protected List<Held> held(UUID letter) {
        return new PostgresDeadDesk(POSTGRES.dataSource(), Schema.DEFAULT)
                .show(letter, 1_000).stream()
                        .map(whole -> new Held(
                                whole.entry().what().event().map(UUID::toString).orElse(""),
                                whole.entry().why().cause(),
                                whole.details(),
                                whole.entry().why().remedy(),
                                whole.headers(),
                                whole.body(),
                                whole.metadata()))
                        .toList();
    }
}
