package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;

/** What came of changing a route or a consumer, for people. */
final class ChangedText {

    private ChangedText() {}

    /**
     * In a sentence.
     *
     * @param what the kind of thing, such as route
     * @param already what to say if it was so already
     */
    static String of(JsonNode answer, String what, String already) {
        String thing = Character.toUpperCase(what.charAt(0)) + what.substring(1) + " "
                + answer.path(what).asText();
        return answer.path("changed").asBoolean()
                ? thing + ": " + answer.path("action").asText() + "d."
                : thing + " " + already + ".";
    }
}
