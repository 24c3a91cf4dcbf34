package dev.posthorn.commands;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A response. The array is not copied; whoever makes one gives it away.
 *
 * @param headers by name; a name may have several values
 */
@SuppressWarnings("ArrayRecordComponent") // passed on without a copy; never compared
public record HttpResponse(int status, Map<String, List<String>> headers, byte[] body) {

    public HttpResponse {
        headers = Map.copyOf(headers);
    }

    /** A response with a JSON text. */
    public static HttpResponse json(int status, String json) {
        return new HttpResponse(
                status, Map.of("Content-Type", List.of("application/json")), json.getBytes(StandardCharsets.UTF_8));
    }

    /** RFC 9457. */
    static HttpResponse problem(int status, String title, Map<String, List<String>> more) {
        Map<String, List<String>> headers = new LinkedHashMap<>(more);
        headers.put("Content-Type", List.of("application/problem+json"));
        String json = "{\"status\":" + status + ",\"title\":\"" + title + "\"}";
        return new HttpResponse(status, headers, json.getBytes(StandardCharsets.UTF_8));
    }

    /** As the result of a workflow run. */
    String stored() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(status);
            out.writeInt(headers.size());
            for (Map.Entry<String, List<String>> header : headers.entrySet()) {
                write(out, header.getKey());
                out.writeInt(header.getValue().size());
                for (String value : header.getValue()) {
                    write(out, value);
                }
            }
            out.writeInt(body.length);
            out.write(body);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** What was {@link #stored}. */
    static HttpResponse restored(String stored) {
        try (DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(stored)))) {
            int status = in.readInt();
            Map<String, List<String>> headers = new LinkedHashMap<>();
            for (int names = in.readInt(); names > 0; names--) {
                String name = read(in);
                List<String> values = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    values.add(read(in));
                }
                headers.put(name, List.copyOf(values));
            }
            return new HttpResponse(status, headers, in.readNBytes(in.readInt()));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String read(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
