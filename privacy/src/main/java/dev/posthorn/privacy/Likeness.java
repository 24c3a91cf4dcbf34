package dev.posthorn.privacy;

import java.math.BigInteger;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What personal data looks like in a text. Numbers with a check digit count only if it is right. */
enum Likeness {
    EMAIL("e-mail address", "[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8}"),
    IBAN(
            "IBAN",
            "(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])",
            Likeness::isIban),
    CARD("card number", "(?<![0-9])[0-9](?:[ -]?[0-9]){11,18}(?![0-9])", Likeness::isCard),
    PHONE("phone number", "(?<![0-9A-Za-z+])\\+[1-9][0-9]{0,3}(?:[ ./()-]{0,2}[0-9]){6,12}(?![0-9])");

    private static final BigInteger NINETY_SEVEN = BigInteger.valueOf(97);

    private final String title;
    private final Pattern pattern;

    @SuppressWarnings("ImmutableEnumChecker") // looks at its argument alone
    private final Predicate<String> proof;

    Likeness(String title, String pattern) {
        this(title, pattern, found -> true);
    }

    Likeness(String title, String pattern, Predicate<String> proof) {
        this.title = title;
        this.pattern = Pattern.compile(pattern);
        this.proof = proof;
    }

    String title() {
        return title;
    }

    boolean isIn(String text) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            if (proof.test(matcher.group())) {
                return true;
            }
        }
        return false;
    }

    /** The text with a mark in place of each. */
    String masked(String text, String mark) {
        return pattern.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(proof.test(found.group()) ? mark : found.group()));
    }

    /** By the sum of Luhn; all zeros would pass it too, and are no card. */
    private static boolean isCard(String found) {
        int sum = 0;
        boolean isDoubled = false;
        boolean hasOther = false;
        for (int i = found.length() - 1; i >= 0; i--) {
            char c = found.charAt(i);
            if (c < '0' || c > '9') {
                continue;
            }
            int digit = c - '0';
            hasOther |= digit != 0;
            int twice = digit * 2;
            sum += !isDoubled ? digit : twice > 9 ? twice - 9 : twice;
            isDoubled = !isDoubled;
        }
        return hasOther && sum % 10 == 0;
    }

    /** By its check digits, ISO 7064 mod 97-10. */
    private static boolean isIban(String found) {
        String plain = found.replace(" ", "").toUpperCase(Locale.ROOT);
        if (plain.length() < 15 || plain.length() > 34) {
            return false;
        }
        StringBuilder digits = new StringBuilder();
        (plain.substring(4) + plain.substring(0, 4)).chars().forEach(c -> digits.append(Character.digit(c, 36)));
        return new BigInteger(digits.toString()).mod(NINETY_SEVEN).intValue() == 1;
    }
}
