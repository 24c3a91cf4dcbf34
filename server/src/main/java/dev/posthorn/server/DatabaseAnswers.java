package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.function.Consumer;

/** Looks for itself. */
final class DatabaseAnswers implements Answers {

    private final Database database;
    private final Duration patience;

    DatabaseAnswers(Database database, Duration patience) {
        this.database = database;
        this.patience = patience;
    }

    @Override
    public ObjectNode read(Ask ask, Look look) throws InterruptedException {
        try (HikariDataSource source = database.connect(patience)) {
            return look.at(source, database.schema());
        }
    }

    @Override
    public void list(Ask ask, Pages pages, LongLook look, Consumer<ObjectNode> each) {
        try (HikariDataSource source = database.connect(patience)) {
            look.at(source, database.schema(), each);
        }
    }

    @Override
    public ObjectNode change(Ask ask, ObjectNode body, Look change) throws InterruptedException {
        return read(ask, change);
    }
}
