package dev.posthorn.postgres;

import dev.posthorn.postgres.DeadDecision.Verb;
import dev.posthorn.postgres.PostgresDeadDesk.Count;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One decision about many dead letters, a page at a time: first those of routes in the order of the log, then those of
 * consumers in the order in which they died, so that the dead letters of a key keep their order.
 *
 * <p>Each page is one transaction with its record of who, why and how many; all pages are one entry of the audit if the caller
 * began one. Whoever stops between two pages leaves the rest as
 * it is, and may begin anew later. What another operator decides meanwhile is left alone and not counted, and so is an
 * event that is no longer in the log; what dies after the run began is not of it. Knows no threads; for one thread at a time.
 */
public final class DeadRun {

    /** Somebody else was faster with one of them, or its event is no longer in the log. */
    private static final String NOT_DEAD_ANY_MORE = "P0002";

    private static final String NOT_RESTORED =
            "; later events of its key were handled meanwhile, and that order is not restored";
    private static final String NOT_KNOWN =
            "; it is not in this log, so whether later events of its key were handled is not known";

    /** What is to be done. */
    record Order(DeadFilter filter, DeadDecision decision, int page, boolean trial) {

        Order {
            if (page < 1) {
                throw new IllegalArgumentException("A page has " + page + " letters; it needs at least one.");
            }
        }
    }

    /** What became of one letter. On a route its id is the event's. */
    public record Answer(UUID letter, String place, String text) {}

    private record Letter(
            String name, UUID id, long place, @Nullable Boolean overtaken) {}

    private record Mark(boolean onRoutes, long place, String name) {}

    private final DataSource database;
    private final Schema schema;
    private final Looks looks;
    private Signature signature;
    private final Order order;
    private final Count count;
    private @Nullable Mark mark = new Mark(true, 0, "");
    private long done;

    DeadRun(DataSource database, Schema schema, Signature signature, Order order, Count count) {
        this.database = database;
        this.schema = schema;
        this.looks = new Looks(database, schema);
        this.signature = signature;
        this.order = order;
        this.count = count;
    }

    /** Has what it does recorded as a part of this entry of the audit, see {@link PostgresDeadDesk#beginBulk}. */
    public void recordIn(long entry) {
        signature = signature.partOf(entry);
    }

    /** How many letters there were when it began. */
    public long total() {
        return count.onRoutes() + count.inConsumers();
    }

    /** How many it has decided about so far. */
    public long done() {
        return done;
    }

    /** Whether nothing is left to do. */
    public boolean isOver() {
        return mark == null;
    }

    /** Decides about the next page and answers what became of each; empty also if others were faster. */
    public List<Answer> runOnce() {
        Mark from = mark;
        if (from == null) {
            return List.of();
        }
        List<Letter> letters = read(from);
        List<Answer> answers = letters.isEmpty() ? List.of() : decide(from, letters);
        mark = next(from, letters);
        done += answers.size();
        return answers;
    }

    private @Nullable Mark next(Mark from, List<Letter> letters) {
        if (letters.size() == order.page()) {
            Letter last = letters.get(letters.size() - 1);
            return new Mark(from.onRoutes(), last.place(), last.name());
        }
        return from.onRoutes() ? new Mark(false, 0, "") : null;
    }

    private List<Letter> read(Mark from) {
        return looks.query(
                from.onRoutes() ? "dead_events_page" : "dead_letters_page",
                bind -> {
                    bind.value(from.place())
                            .value(from.onRoutes() ? count.lastOnRoutes() : count.lastInConsumers())
                            .value(from.place())
                            .text("name", from.name());
                    PostgresDeadDesk.bind(bind, order.filter()).value(order.page());
                },
                row -> new Letter(
                        row.getString("name"), row.getObject("letter", UUID.class), row.getLong("place"), (Boolean)
                                row.getObject("overtaken")));
    }

    private List<Answer> decide(Mark from, List<Letter> letters) {
        if (order.trial()) {
            return letters.stream()
                    .map(letter -> answer(from, letter, "would " + verb().word()))
                    .toList();
        }
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            return from.onRoutes() ? events(connection, letters) : letters(connection, from, letters);
        } catch (SQLException failed) {
            throw OperatorErrors.translate(verb().word() + " dead letters of schema", schema, failed);
        }
    }

    /** In one transaction; if that fails because of one of them, each by itself, so that one does not stop the others. */
    private List<Answer> events(Connection connection, List<Letter> letters) throws SQLException {
        Savepoint before = connection.getAutoCommit() ? null : connection.setSavepoint();
        try {
            return eventsAtOnce(connection, letters);
        } catch (SQLException failed) {
            if (!NOT_DEAD_ANY_MORE.equals(failed.getSQLState())) {
                throw failed;
            }
            if (before != null) {
                connection.rollback(before);
            }
            if (letters.size() == 1) {
                return List.of();
            }
        }
        List<Answer> answers = new ArrayList<>();
        for (Letter letter : letters) {
            answers.addAll(events(connection, List.of(letter)));
        }
        return answers;
    }

    private List<Answer> eventsAtOnce(Connection connection, List<Letter> letters) throws SQLException {
        String name = verb() == Verb.DISCARD ? "discard_events" : "redrive_events";
        try (PreparedStatement statement = signature.prepare(connection, Sql.load(name, schema))) {
            new Parameters(statement)
                    .remark(order.decision().reason())
                    .texts("route name", letters, Letter::name)
                    .column("uuid", letters, Letter::id)
                    .given("entry", signature.bulk())
                    .value(letters.size());
            List<Answer> answers = new ArrayList<>();
            try (ResultSet rows = signature.run(statement)) {
                for (Letter letter : letters) {
                    rows.next();
                    answers.add(new Answer(letter.id(), "route " + letter.name(), rows.getString("answer")));
                }
            }
            return answers;
        }
    }

    private List<Answer> letters(Connection connection, Mark from, List<Letter> letters) throws SQLException {
        Set<UUID> changed = changed(connection, letters);
        String answer = verb() == Verb.DISCARD ? "discarded" : "sent back to its handler";
        return letters.stream()
                .filter(letter -> changed.contains(letter.id()))
                .map(letter -> answer(from, letter, answer))
                .toList();
    }

    private Set<UUID> changed(Connection connection, List<Letter> letters) throws SQLException {
        boolean discards = verb() == Verb.DISCARD;
        try (PreparedStatement statement =
                signature.prepare(connection, Sql.load(discards ? "discard_letters" : "redrive_letters", schema))) {
            Parameters bind = new Parameters(statement).column("uuid", letters, Letter::id);
            if (!discards) {
                bind.value(verb() == Verb.REPROCESS);
            }
            bind.remark(order.decision().reason()).given("entry", signature.bulk());
            Set<UUID> changed = new LinkedHashSet<>();
            try (ResultSet rows = signature.run(statement)) {
                while (rows.next()) {
                    changed.add(rows.getObject(1, UUID.class));
                }
            }
            return changed;
        }
    }

    private Answer answer(Mark from, Letter letter, String text) {
        String place = (from.onRoutes() ? "route " : "consumer ") + letter.name();
        if (verb() == Verb.DISCARD) {
            return new Answer(letter.id(), place, text);
        }
        Boolean overtaken = letter.overtaken();
        String aboutOrder = overtaken == null ? NOT_KNOWN : overtaken ? NOT_RESTORED : "";
        return new Answer(letter.id(), place, text + aboutOrder);
    }

    private Verb verb() {
        return order.decision().verb();
    }
}
