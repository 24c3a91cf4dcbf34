package dev.posthorn.privacy;

/**
 * Something in an event that is, or looks like, personal data. Never the value itself.
 *
 * @param place the path of a field, {@code payload} for a text, or {@code header NAME}
 * @param what what it looks like
 */
public record Finding(String place, String what) {

    @Override
    public String toString() {
        return place + " (" + what + ")";
    }
}
