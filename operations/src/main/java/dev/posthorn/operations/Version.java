package dev.posthorn.operations;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The version of this build. */
public final class Version {

    private static final String UNKNOWN = "unknown";

    private Version() {}

    public static String number() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException unreadable) {
            return UNKNOWN;
        }
        return properties.getProperty("version", UNKNOWN);
    }
}
