package dev.posthorn.postgres;

import java.util.ArrayList;
import java.util.List;

/** The texts of emitting. Several statements in one text go to the server in one round trip, each run on its own. */
final class EmitStatements {

    private final String begin;
    private final String one;
    private final String many;
    private final String once;
    private final String lockKeys;
    private final String commit;

    EmitStatements(Schema schema) {
        this.begin = Sql.load("begin", schema);
        this.one = Sql.load("emit_one", schema);
        this.many = Sql.load("emit_many", schema);
        this.once = Sql.load("emit_once", schema);
        this.lockKeys = Sql.load("emit_lock_keys", schema);
        this.commit = Sql.load("commit", schema);
    }

    String textFor(EmitCall call, boolean begins, boolean locksKeys) {
        List<String> statements = new ArrayList<>();
        if (begins) {
            statements.add(begin);
        }
        call.change().ifPresent(change -> statements.add(change.sql()));
        if (locksKeys) {
            statements.add(lockKeys);
        }
        if (!call.events().isEmpty()) {
            statements.add(call.isOnce() ? once : call.events().size() == 1 ? one : many);
        }
        if (call.commits()) {
            statements.add(commit);
        }
        // On a line of its own: the caller's text may end in a comment.
        return String.join("\n;\n", statements);
    }
}
