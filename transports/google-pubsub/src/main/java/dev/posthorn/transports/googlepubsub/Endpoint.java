package dev.posthorn.transports.googlepubsub;

import com.google.auth.Credentials;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where Pub/Sub is and how to get in. Credentials appear in no text that this makes.
 *
 * @param project the id of the project that has the topics
 * @param address {@code host:port}
 * @param emulator whether it is an emulator: without TLS and without credentials
 * @param credentials empty for the application's default ones
 */
public record Endpoint(String project, String address, boolean emulator, Optional<Credentials> credentials) {

    /** Says where an emulator is, to this as to Google's own clients. */
    public static final String EMULATOR_HOST = "PUBSUB_EMULATOR_HOST";

    private static final String GLOBAL = "pubsub.googleapis.com:443";
    private static final Pattern PROJECT = Pattern.compile("[a-z][a-z0-9.:-]{4,61}[a-z0-9]");
    private static final Pattern ADDRESS = Pattern.compile("[^\\s/@]+:[0-9]{1,5}");

    /** Google's, with the application's default credentials; an emulator where {@value #EMULATOR_HOST} says so. */
    public static Endpoint of(String project) {
        return of(project, System.getenv());
    }

    static Endpoint of(String project, Map<String, String> environment) {
        String host = environment.getOrDefault(EMULATOR_HOST, "");
        return host.isBlank() ? new Endpoint(project, GLOBAL, false, Optional.empty()) : emulator(project, host);
    }

    /** An emulator at {@code host:port}. */
    public static Endpoint emulator(String project, String address) {
        return new Endpoint(project, address, true, Optional.empty());
    }

    /**
     * Another address of Google's, such as {@code europe-west1-pubsub.googleapis.com:443}. The order of a key holds among what
     * is published in one region only; so publishers of several regions need one address.
     */
    public Endpoint address(String address) {
        return new Endpoint(project, address, emulator, credentials);
    }

    public Endpoint credentials(Credentials credentials) {
        return new Endpoint(project, address, emulator, Optional.of(credentials));
    }

    void addFaults(List<String> faults) {
        if (!PROJECT.matcher(project).matches()) {
            faults.add("the project must be a project's id, 6 to 63 lower case letters, digits and hyphens, but is \""
                    + project + "\"");
        }
        if (!ADDRESS.matcher(address).matches()) {
            faults.add("the address must be host:port, but is \"" + address + "\"");
        }
    }

    @Override
    public String toString() {
        String login = emulator ? "an emulator" : credentials.isPresent() ? "given credentials" : "default credentials";
        return "Endpoint[" + project + " at " + address + ", " + login + "]";
    }
}
