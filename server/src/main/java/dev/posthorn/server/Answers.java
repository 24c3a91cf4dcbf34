package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.Schema;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Port: where a command gets its answers from. Both ways lead to the same objects: a database is looked at with the code that an
 * API runs, and an API is asked for what it found.
 */
interface Answers {

    /** What to look at, or to do, in a database. */
    @FunctionalInterface
    interface Look {
        ObjectNode at(DataSource database, Schema schema) throws InterruptedException;
    }

    /** The same with many answers. */
    @FunctionalInterface
    interface LongLook {
        void at(DataSource database, Schema schema, Consumer<ObjectNode> each);
    }

    /**
     * Which part of a long list.
     *
     * @param items what the array of a page is called
     * @param cursor what the parameter is called that goes on after a page
     * @param limit how many at most, all pages together
     */
    record Pages(String items, String cursor, int limit) {}

    ObjectNode read(Ask ask, Look look) throws InterruptedException;

    void list(Ask ask, Pages pages, LongLook look, Consumer<ObjectNode> each) throws InterruptedException;

    /** Changes something. The body says how, and why. */
    ObjectNode change(Ask ask, ObjectNode body, Look change) throws InterruptedException;
}
