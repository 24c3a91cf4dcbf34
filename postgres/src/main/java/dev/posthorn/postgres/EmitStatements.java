package dev.posthorn.postgres;

import dev.posthorn.outbox.EmitOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The texts of emitting. Several statements in one text go to the server in one round trip, each run on its own. */
final class EmitStatements {

    private final String one;
    private final String many;
    private final String once;
    private final String lockKeys;
    private final String commit;

    EmitStatements(Schema schema) {
        this.one = Sql.load("emit_one", schema);
        this.many = Sql.load("emit_many", schema);
        this.once = Sql.load("emit_once", schema);
        this.lockKeys = Sql.load("emit_lock_keys", schema);
        this.commit = Sql.load("commit", schema);
    }

    String textFor(boolean single, boolean locksKeys, Set<EmitOption> options) {
        List<String> statements = new ArrayList<>();
        if (locksKeys) {
            statements.add(lockKeys);
        }
        statements.add(options.contains(EmitOption.IDEMPOTENT) ? once : single ? one : many);
        if (options.contains(EmitOption.WITH_COMMIT)) {
            statements.add(commit);
        }
        return String.join(";\n", statements);
    }
}
