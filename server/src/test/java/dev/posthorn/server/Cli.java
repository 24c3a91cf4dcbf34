package dev.posthorn.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** What one run of the command line answered. */
record Cli(int code, String out, String err) {

    static Cli run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(List.of(args), new PrintWriter(out), new PrintWriter(err));
        return new Cli(code, out.toString(), err.toString());
    }

    /** The one JSON object on standard output. */
    JsonNode json() {
        try {
            return new ObjectMapper().readTree(out);
        } catch (JsonProcessingException e) {
            throw new AssertionError("Not JSON: " + out + err, e);
        }
    }
}
