package dev.posthorn.postgres;

import dev.posthorn.archive.Archive;
import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Draft;
import dev.posthorn.postgres.PostgresPruner.Report;
import dev.posthorn.relay.LogEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Archives what may go and removes it, once. Not thread-safe.
 *
 * <p>The order is all there is to it: read rows that may go, write them into a draft, finish the draft, and only then remove
 * exactly these rows, named by seq and id, if they may still go. Each is a statement or a file of its own and no transaction
 * spans two of them. A crash before the draft is finished leaves a draft that nobody counts; one after it leaves events
 * that are both in the log and in a volume, which the next run archives again.
 *
 * <p>One run at a time has the turn, for a time that each step renews. If it is lost, because a step took too long, another
 * run may archive the same events; each then removes only what is in a volume of its own.
 */
final class ArchiveRun {

    static final int VOLUME_EVENTS = 50_000;
    private static final long VOLUME_BYTES = 64L << 20;
    private static final long READ_BYTES = 4L << 20;
    private static final Duration TURN = Duration.ofMinutes(2);

    /** A row that the log showed. */
    private record Row(long seq, UUID id, int size) {}

    /** Rows of a lane, after one seq up to another, that the draft has. */
    private record Window(short lane, long after, long last, List<Row> rows) {}

    /** What a look at the next rows of a lane found. */
    private record Page(List<Row> going, long seen, long last, boolean mayGoOn) {}

    private final Connection connection;
    private final String look;
    private final String published;
    private final String read;
    private final String remove;
    private final String turn;
    private final Archive archive;
    private final Duration age;
    private final String name = UUID.randomUUID().toString();

    private @Nullable Draft draft;
    private final List<Window> windows = new ArrayList<>();
    private long draftEvents;
    private long draftBytes;

    private long removed;
    private long archived;
    private long volumes;
    private long kept;

    ArchiveRun(Connection connection, Schema schema, Archive archive, Duration age) {
        this.connection = connection;
        this.look = Sql.load("archive_look", schema);
        this.published = Sql.load("archive_published", schema);
        this.read = EventRows.withEvent(Sql.load("archive_read", schema), schema);
        this.remove = Sql.load("archive_remove", schema);
        this.turn = Sql.load("archive_turn", schema);
        this.archive = archive;
        this.age = age;
    }

    Report run(Set<Short> lanes, LongConsumer progress) throws SQLException {
        try {
            boolean mine = hasTurn(TURN);
            for (short lane : lanes) {
                mine = mine && archiveLane(lane, progress);
            }
            if (mine) {
                finishVolume(progress);
            }
            return new Report(removed, archived, volumes, 0, 0, kept, !mine);
        } finally {
            if (draft != null) {
                draft.close();
            }
            endTurn();
        }
    }

    /** False if another one has the turn. */
    private boolean archiveLane(short lane, LongConsumer progress) throws SQLException {
        long after = 0;
        Page page;
        do {
            if (!hasTurn(TURN)) {
                return false;
            }
            page = look(lane, after);
            kept += page.seen() - page.going().size();
            write(lane, after, page);
            after = page.last();
            if (draftEvents >= VOLUME_EVENTS || draftBytes >= VOLUME_BYTES) {
                finishVolume(progress);
            }
        } while (page.mayGoOn());
        return true;
    }

    private Page look(short lane, long after) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(look)) {
            new Parameters(statement)
                    .value(lane)
                    .value(after)
                    .value(age.toMillis())
                    .value(PostgresPruner.CHUNK);
            List<Row> going = new ArrayList<>();
            long seen = 0;
            long last = after;
            boolean old = false;
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    seen++;
                    last = rows.getLong(1);
                    old = PostgresPruner.mayBeOlder(Duration.ofMillis(rows.getLong(4)), age);
                    if (rows.getBoolean(5)) {
                        going.add(new Row(last, rows.getObject(2, UUID.class), rows.getInt(3)));
                    }
                }
            }
            return new Page(going, seen, last, seen == PostgresPruner.CHUNK && old);
        }
    }

    /** Puts the rows of a page into the draft, reading so many at once as fit into memory. */
    private void write(short lane, long after, Page page) throws SQLException {
        List<Row> written = new ArrayList<>();
        List<Row> next = new ArrayList<>();
        long bytes = 0;
        for (Row row : page.going()) {
            if (bytes + row.size() > READ_BYTES && !next.isEmpty()) {
                written.addAll(read(lane, next));
                next.clear();
                bytes = 0;
            }
            next.add(row);
            bytes += row.size();
        }
        if (!next.isEmpty()) {
            written.addAll(read(lane, next));
        }
        if (!written.isEmpty()) {
            windows.add(new Window(lane, after, page.last(), written));
        }
    }

    /** The rows that were still there, and now are in the draft. */
    private List<Row> read(short lane, List<Row> rows) throws SQLException {
        Map<UUID, Map<String, Instant>> times = published(lane, rows);
        List<Row> written = new ArrayList<>(rows.size());
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            new Parameters(statement).column("uuid", rows, Row::id);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    ArchivedEvent event = event(found, times);
                    openDraft().add(event);
                    Row row = new Row(
                            event.place().seq(),
                            event.event().id(),
                            event.event().payloadSize());
                    written.add(row);
                    draftEvents++;
                    draftBytes += row.size();
                }
            }
        }
        return written;
    }

    /** When each route published them, by id. */
    private Map<UUID, Map<String, Instant>> published(short lane, List<Row> rows) throws SQLException {
        Map<UUID, Map<String, Instant>> times = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(published)) {
            new Parameters(statement).value(lane).column("uuid", rows, Row::id);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    times.computeIfAbsent(found.getObject(1, UUID.class), first -> new HashMap<>())
                            .put(found.getString(2), EventRows.instant(found.getBytes(3)));
                }
            }
        }
        return times;
    }

    private static ArchivedEvent event(ResultSet row, Map<UUID, Map<String, Instant>> times) throws SQLException {
        int lane = row.getInt("lane");
        LogEvent logged = EventRows.read(row, lane);
        return new ArchivedEvent(
                new ArchivedEvent.Place(
                        logged.seq(), row.getString("tx"), lane, EventRows.instant(row.getBytes("created_at"))),
                logged.event(),
                row.getString("headers_json"),
                times.getOrDefault(logged.event().id(), Map.of()));
    }

    private Draft openDraft() {
        if (draft == null) {
            draft = archive.begin();
        }
        return draft;
    }

    private void finishVolume(LongConsumer progress) throws SQLException {
        if (draft == null) {
            return;
        }
        draft.finish();
        draft.close();
        draft = null;
        volumes++;
        archived += draftEvents;
        for (Window window : windows) {
            hasTurn(TURN); // whoever has it by now, these are in a volume
            removed += remove(window);
            progress.accept(removed);
        }
        windows.clear();
        draftEvents = 0;
        draftBytes = 0;
    }

    private long remove(Window window) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(remove)) {
            new Parameters(statement)
                    .value(window.lane())
                    .value(window.after())
                    .value(window.last())
                    .value(age.toMillis())
                    .column("int8", window.rows(), Row::seq)
                    .column("uuid", window.rows(), Row::id);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private boolean hasTurn(Duration ttl) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(turn)) {
            new Parameters(statement).name("name of the process", name).value(ttl.toMillis());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    /** For whoever comes next; without it they wait until it has run out. */
    private void endTurn() {
        try {
            hasTurn(Duration.ZERO);
        } catch (SQLException runsOut) {
            // The database is not there, and says so elsewhere.
        }
    }
}
