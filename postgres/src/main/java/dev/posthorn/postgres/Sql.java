package dev.posthorn.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the SQL files that ship with this module. */
final class Sql {

    private static final Map<String, String> READ = new ConcurrentHashMap<>();
    private static final Pattern INCLUDE = Pattern.compile("\\{include (\\w+)}");

    private Sql() {}

    /** The statement {@code statements/<name>.sql} for this schema, without the comments of its header. */
    static String load(String name, Schema schema) {
        return withoutHeader("statements/" + name + ".sql", schema);
    }

    /** The part {@code fragments/<name>.sql} that several statements share; they take it in by <code>{include name}</code>. */
    static String fragment(String name, Schema schema) {
        return withoutHeader("fragments/" + name + ".sql", schema);
    }

    private static String withoutHeader(String path, Schema schema) {
        String statement = resource(path)
                .lines()
                .dropWhile(line -> line.isBlank() || line.startsWith("--"))
                .collect(Collectors.joining("\n"));
        String whole = INCLUDE.matcher(statement.strip())
                .replaceAll(found -> Matcher.quoteReplacement(fragment(found.group(1), schema)));
        return schema.in(whole);
    }

    /** The text of a file beside this class. Kept: whoever looks often would read hundreds of files anew each time. */
    static String resource(String path) {
        return READ.computeIfAbsent(path, Sql::read);
    }

    private static String read(String path) {
        try (InputStream in = Sql.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(
                        "The file " + path + " is missing from the posthorn-postgres jar. Repackage the application.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
