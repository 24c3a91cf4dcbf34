package dev.posthorn.examples.licenses;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** How a license stands. */
public enum LicenseStatus {
    /** Uploaded, and somebody has to look at it. */
    @JsonProperty("pending")
    PENDING,
    @JsonProperty("verified")
    VERIFIED,
    @JsonProperty("rejected")
    REJECTED;

    /** As it stands in payloads and tables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
