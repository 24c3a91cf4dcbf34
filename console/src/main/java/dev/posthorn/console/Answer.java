package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a request is answered with, for any server to send.
 *
 * @param headers all of them but the length
 */
public record Answer(int status, Map<String, String> headers, Body body) {

    static final String JSON = "application/json";
    private static final String TYPE = "Content-Type";

    public Answer {
        headers = Map.copyOf(headers);
    }

    /** What follows the headers. */
    public sealed interface Body permits Whole, Flow, Download {

        /** Empty if it is not known before the end. */
        OptionalLong length();

        /** Returns at the end; a flow ends only when the reader is gone or the console closes. */
        void writeTo(OutputStream out) throws IOException;
    }

    /** All of it. */
    @SuppressWarnings("ArrayRecordComponent") // written once; never compared
    record Whole(byte[] bytes) implements Body {

        @Override
        public OptionalLong length() {
            return OptionalLong.of(bytes.length);
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            out.write(bytes);
        }
    }

    /** Bytes of a known size that are read while they are sent. */
    record Download(long size, Source source) implements Body {

        @Override
        public OptionalLong length() {
            return OptionalLong.of(size);
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            source.writeTo(out);
        }
    }

    /** Something that goes on. */
    record Flow(Source source) implements Body {

        @Override
        public OptionalLong length() {
            return OptionalLong.empty();
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            source.writeTo(out);
        }
    }

    /** Writes until the reader is gone. */
    @FunctionalInterface
    interface Source {
        void writeTo(OutputStream out) throws IOException;
    }

    static Answer json(ObjectNode json) {
        return json(200, json);
    }

    static Answer json(int status, ObjectNode json) {
        return bytes(status, JSON, BoundedJson.line(json));
    }

    static Answer text(int status, String type, String text) {
        return bytes(status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    static Answer bytes(int status, String type, byte[] bytes) {
        return new Answer(status, Map.of(TYPE, type), new Whole(bytes));
    }

    static Answer flow(String type, Source source) {
        return new Answer(200, Map.of(TYPE, type), new Flow(source));
    }

    /** Returns bytes that no browser shows, for a file of this name. */
    static Answer download(String name, long size, Source source) {
        return new Answer(200, Map.of(TYPE, "application/octet-stream"), new Download(size, source))
                .with("Content-Disposition", "attachment; filename=\"" + name + "\"");
    }

    /** Returns whether sending takes as long as the reader likes, or as what is read meanwhile. */
    public boolean isStreamed() {
        return !(body instanceof Whole);
    }

    /** What was wrong, for people and, as a word, for programs. */
    static Answer error(int status, String code, String error) {
        return json(status, Json.object().put("error", error).put("code", code));
    }

    Answer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Answer(status, more, body);
    }
}
