package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Something that is wrong.
 *
 * @param critical whether events do not get through because of it
 * @param what is the matter
 * @param why it matters
 * @param remedy what to do
 * @param command that does it, or shows more
 * @param link where the page shows more
 */
record Trouble(boolean critical, String what, String why, String remedy, String command, String link) {

    ObjectNode json() {
        return Json.object()
                .put("severity", critical ? "critical" : "warning")
                .put("what", what)
                .put("why", why)
                .put("do", remedy)
                .put("command", command)
                .put("link", link);
    }
}
