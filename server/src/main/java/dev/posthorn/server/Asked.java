package dev.posthorn.server;

import java.time.Duration;
import picocli.CommandLine.Mixin;

/** The options that say whom to ask: the database, or with {@code --url} a process in its place. */
final class Asked {

    @Mixin
    private Database database = new Database();

    @Mixin
    private Remote remote = new Remote();

    /** From whoever it is, who has so long for an answer. */
    Answers answers(Duration patience) {
        return isRemote() ? remote.http(patience, (done, total) -> {}) : new DatabaseAnswers(database, patience);
    }

    boolean isRemote() {
        return remote.isAsked();
    }

    /** For what is done another way there than here. */
    HttpAnswers http(Duration patience, HttpAnswers.Progress progress) {
        return remote.http(patience, progress);
    }

    /** For what is done another way here than there. */
    Database database() {
        return database;
    }
}
