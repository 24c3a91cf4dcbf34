package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What came of changing a route or a consumer. */
public final class ChangedFormat {

    private ChangedFormat() {}

    /**
     * What was done.
     *
     * @param what the kind of thing, such as route
     * @param changed false if it was so already
     */
    public static ObjectNode json(String verb, String what, String name, boolean changed) {
        return Json.object().put("action", verb).put(what, name).put("changed", changed);
    }
}
