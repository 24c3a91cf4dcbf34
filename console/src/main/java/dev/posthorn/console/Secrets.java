package dev.posthorn.console;

import java.util.regex.Pattern;

/** Takes passwords out of whatever is printed. */
public final class Secrets {

    /** From the colon after the user to the last @ of the line, since a password may contain anything. */
    private static final Pattern IN_AUTHORITY = Pattern.compile("(://[^:/@\\s]*):.*@");

    private static final Pattern AS_PARAMETER = Pattern.compile("(?i)((?:ssl)?password=)[^&\\s]*");

    private Secrets() {}

    public static String mask(String text) {
        String masked = IN_AUTHORITY.matcher(text).replaceAll("$1:***@");
        return AS_PARAMETER.matcher(masked).replaceAll("$1***");
    }
}
