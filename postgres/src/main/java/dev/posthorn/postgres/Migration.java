package dev.posthorn.postgres;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One step of the schema, from a file that never changes once it is released. */
record Migration(int version, String name, String template) {

    /** In order; a file that is not listed is not applied. */
    private static final List<String> FILES = List.of(
            "0001_log",
            "0002_relay",
            "0003_emit",
            "0004_emit_once",
            "0005_outbox_status",
            "0006_operator",
            "0007_roles",
            "0008_routes",
            "0009_prune",
            "0010_archive",
            "0011_rebase",
            "0012_published",
            "0013_inbox",
            "0014_replay",
            "0015_inbox_main",
            "0016_outside_call",
            "0017_command",
            "0018_position",
            "0019_first_time",
            "0020_figures",
            "0021_except_tenants",
            "0022_relay_report",
            "0023_callers",
            "0024_payload_reference",
            "0025_looks",
            "0026_renew_run",
            "0027_position_retention",
            "0028_payload_sweep",
            "0029_tenant_groups",
            "0030_stamp",
            "0031_changed_payload",
            "0032_limits",
            "0033_destination",
            "0034_handover",
            "0035_search_path",
            "0036_publisher",
            "0037_emit_once_types",
            "0038_bulk_actions",
            "0039_oldest_process");

    /** From this version on a file begins with the oldest process that can work with it. */
    static final int FIRST_DECLARED = 39;

    private static final Pattern OLDEST_PROCESS = Pattern.compile("^-- Oldest process: (any|\\d{4})\n");

    static List<Migration> all() {
        return FILES.stream().map(Migration::load).toList();
    }

    private static Migration load(String file) {
        int underscore = file.indexOf('_');
        int version = Integer.parseInt(file.substring(0, underscore));
        // Line ends may depend on who built the jar; the checksum must not.
        String template = Sql.resource("migrations/" + file + ".sql").replace("\r\n", "\n");
        return new Migration(version, file.substring(underscore + 1), template);
    }

    /** Of the file as it ships, so that it is the same for every schema and lane count. */
    String checksum() {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(template.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Whether its file says which processes can work with it. */
    boolean isDeclared() {
        return OLDEST_PROCESS.matcher(template).find();
    }

    /** Returns the newest migration that a process must know to work with this one; 1 if any process can. */
    int oldestProcess() {
        Matcher declared = OLDEST_PROCESS.matcher(template);
        return declared.find() && !declared.group(1).equals("any") ? Integer.parseInt(declared.group(1)) : 1;
    }

    /** What to run. */
    String sql(Schema schema, int lanes) {
        return schema.in(template).replace("{lanes}", Integer.toString(lanes));
    }

    @Override
    public String toString() {
        return String.format("%04d_%s", version, name);
    }
}
