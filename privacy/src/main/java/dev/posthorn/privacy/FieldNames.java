package dev.posthorn.privacy;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names of fields, wherever they are, or paths from the top with dots between ({@code customer.email}; the places of a list
 * have no part in it). Capitals, hyphens and underscores make no difference.
 */
final class FieldNames {

    /** Usual names of what identifies or exposes a person, or opens something. */
    static final Set<String> USUAL = Set.of(
            "authorization",
            "birthdate",
            "card-number",
            "credit-card",
            "cvc",
            "cvv",
            "date-of-birth",
            "email",
            "e-mail",
            "first-name",
            "full-name",
            "iban",
            "last-name",
            "mobile",
            "passport",
            "password",
            "phone",
            "phone-number",
            "pin",
            "secret",
            "social-security-number",
            "ssn",
            "surname",
            "tax-id",
            "token");

    private final Set<String> anywhere = new TreeSet<>();
    private final Set<String> paths = new TreeSet<>();

    FieldNames(Collection<String> names) {
        for (String name : names) {
            String plain = plain(name);
            if (plain.isBlank()) {
                throw new IllegalArgumentException("A field's name is empty. Leave it out.");
            }
            (plain.contains(".") ? paths : anywhere).add(plain);
        }
    }

    /** Whether a field at this path, with dots between, is one of them. */
    boolean has(String path) {
        String plain = plain(path);
        return paths.contains(plain) || anywhere.contains(plain.substring(plain.lastIndexOf('.') + 1));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }
}
