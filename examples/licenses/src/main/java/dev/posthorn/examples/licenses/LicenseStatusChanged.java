package dev.posthorn.examples.licenses;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.posthorn.event.PosthornException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The payload of {@value #TYPE}: a license was uploaded, approved or rejected.
 *
 * @param reason why, if somebody said so
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LicenseStatusChanged(
        String licenseId,
        String storeId,
        LicenseStatus status,
        @Nullable String reason) {

    public static final String TYPE = "license_status_changed";

    /** Jackson leaves null what a payload does not have, whatever the type says. */
    public LicenseStatusChanged {
        List<String> missing = new ArrayList<>();
        require(licenseId, "licenseId", missing);
        require(storeId, "storeId", missing);
        require(status, "status", missing);
        if (!missing.isEmpty()) {
            throw new PosthornException(TYPE + " has no " + String.join(" and no ", missing) + ".");
        }
    }

    private static void require(@Nullable Object value, String name, List<String> missing) {
        if (value == null || value.equals("")) {
            missing.add(name);
        }
    }
}
