package dev.posthorn.systemtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tables of a page about one of the source systems: each requirement, how it is met, and the tests that show it. */
final class RequirementTable {

    /** How much of a system may be unmet, over all pages. */
    static final int MOST_OPEN = 12;

    private static final String HEADER = "| requirement | state | how | test |";
    private static final Set<String> STATES = Set.of("met", "departs", "open");
    private static final int FIELDS = 4;
    private static final int SHORTEST_REASON = 20;
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

    /**
     * A line of a table.
     *
     * @param state met, departs (on purpose; the reason is in how) or open
     */
    record Row(String place, String requirement, String state, String how, String tests) {

        boolean isOpen() {
            return state.equals("open");
        }

        /** Everything that is wrong with this row. */
        List<String> faults(TestSources sources) {
            List<String> faults = new ArrayList<>();
            if (!STATES.contains(state)) {
                faults.add(place + ": the state is \"" + state + "\", not one of met, departs and open");
            }
            if (requirement.isBlank() || how.length() < SHORTEST_REASON) {
                faults.add(place + ": does not say what is required and how it is met, departed from or missing");
            }
            Matcher named = TEST.matcher(tests);
            int count = 0;
            while (named.find()) {
                count++;
                if (!sources.has(named.group(1), named.group(2))) {
                    faults.add(place + ": there is no test " + named.group(1) + "#" + named.group(2));
                }
            }
            if (count == 0 && !isOpen()) {
                faults.add(place + ": names no test");
            }
            if (isOpen() && count > 0) {
                faults.add(place + ": is open and names a test");
            }
            return faults;
        }
    }

    private RequirementTable() {}

    /** The pages of the systems, without their index. */
    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(Modules.root().resolve("docs/systems"))) {
            return files.filter(file -> file.toString().endsWith(".md") && !file.endsWith("README.md"))
                    .sorted()
                    .toList();
        }
    }

    /** The rows of all tables of a page. Throws {@link IllegalArgumentException} at a table with other columns. */
    static List<Row> rows(String page, List<String> lines) {
        List<Row> rows = new ArrayList<>();
        boolean inTable = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.startsWith("|")) {
                inTable = false;
            } else if (!inTable) {
                if (!line.equals(HEADER)) {
                    throw new IllegalArgumentException(page + ":" + (i + 1) + " is not the header " + HEADER);
                }
                inTable = true;
            } else if (!line.matches("[|\\- ]+")) {
                rows.add(row(page + ":" + (i + 1), line));
            }
        }
        return rows;
    }

    private static Row row(String place, String line) {
        String[] fields = line.substring(1, line.length() - 1).split("(?<!\\\\)\\|", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(place + " has " + fields.length + " fields, not " + FIELDS);
        }
        return new Row(
                place,
                fields[0].strip(),
                fields[1].strip().toLowerCase(Locale.ROOT),
                fields[2].strip(),
                fields[3].strip());
    }
}
