package dev.posthorn.benchmarks;

import java.sql.SQLException;

/** How a business transaction is made: with an event or without. */
enum EmitForm {
    WITHOUT("without an event") {
        @Override
        void run(EmitClient client, int number) throws SQLException {
            client.insert(number);
            client.commit();
        }
    },
    EMIT("with an event") {
        @Override
        void run(EmitClient client, int number) throws SQLException {
            client.insert(number);
            client.emit(number);
            client.commit();
        }
    },
    WITH_COMMIT("with an event, sent with the commit") {
        @Override
        void run(EmitClient client, int number) throws SQLException {
            client.insert(number);
            client.emitWithCommit(number);
        }
    },
    ONE_ROUND_TRIP("with an event, all in one round trip") {
        @Override
        void run(EmitClient client, int number) {
            client.commitAll(number);
        }
    };

    final String label;

    EmitForm(String label) {
        this.label = label;
    }

    /** One transaction, from its beginning to its commit. */
    abstract void run(EmitClient client, int number) throws SQLException;
}
