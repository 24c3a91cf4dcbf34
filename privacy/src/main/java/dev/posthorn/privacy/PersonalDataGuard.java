package dev.posthorn.privacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.EmitStep;
import dev.posthorn.outbox.Outbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for personal data in events before they are emitted, and warns or fails.
 *
 * <p>Finds fields with usual names ({@code email}, {@code iban}, …), and in JSON values, texts and headers what looks like an
 * e-mail address, a card number or an IBAN with a right check digit, or a phone number with its country code.
 *
 * <p>Not guaranteed: that it finds all. Names in free text, other formats and encrypted payloads are not looked into; so it
 * belongs before encryption. It is there against mistakes.
 *
 * <p>Immutable and thread-safe.
 */
public final class PersonalDataGuard {

    private static final Logger LOG = LoggerFactory.getLogger(PersonalDataGuard.class);
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private final FieldNames sought;
    private final FieldNames allowed;
    private final boolean isStrict;

    private PersonalDataGuard(FieldNames sought, FieldNames allowed, boolean isStrict) {
        this.sought = sought;
        this.allowed = allowed;
        this.isStrict = isStrict;
    }

    /** One that writes a warning to the log, with the place and never the value, and lets the event pass. */
    public static PersonalDataGuard warning() {
        return new PersonalDataGuard(new FieldNames(FieldNames.USUAL), new FieldNames(List.of()), false);
    }

    /** One that throws {@link PersonalDataException}. */
    public static PersonalDataGuard failing() {
        return new PersonalDataGuard(new FieldNames(FieldNames.USUAL), new FieldNames(List.of()), true);
    }

    /** The same, looking for fields with these names or at these paths in place of the usual ones. */
    public PersonalDataGuard seeking(Collection<String> fields) {
        return new PersonalDataGuard(new FieldNames(fields), allowed, isStrict);
    }

    /** The same, not minding what is in fields or headers with these names or at these paths. */
    public PersonalDataGuard allowing(Collection<String> fields) {
        return new PersonalDataGuard(sought, new FieldNames(fields), isStrict);
    }

    /** An outbox with this guard before it. */
    public Outbox before(Outbox outbox) {
        return EmitStep.onEach(this::checked).before(outbox);
    }

    private Event checked(Event event) {
        List<Finding> findings = look(event);
        if (!findings.isEmpty()) {
            if (isStrict) {
                throw new PersonalDataException(event, findings);
            }
            LOG.warn("{} has what looks like personal data in {}", event, findings);
        }
        return event;
    }

    /** What there is to be found. */
    public List<Finding> look(Event event) {
        List<Finding> findings = new ArrayList<>();
        event.headers().forEach((name, value) -> lookAtField("header " + name, name, value, findings));
        if (ContentTypes.isJson(event.contentType())) {
            try {
                look("", MAPPER.readTree(event.payloadBytes()), findings);
            } catch (IOException malformed) {
                look("payload", text(event), findings);
            }
        } else if (ContentTypes.isText(event.contentType())) {
            look("payload", text(event), findings);
        }
        return findings;
    }

    private static String text(Event event) {
        return new String(event.payloadBytes(), StandardCharsets.UTF_8);
    }

    private void look(String path, JsonNode node, List<Finding> findings) {
        if (node.isContainerNode()) {
            node.properties()
                    .forEach(field -> look(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), findings));
            if (node.isArray()) {
                node.forEach(item -> look(path, item, findings));
            }
        } else if (!node.isNull() && !node.isBoolean()) {
            lookAtField(path.isEmpty() ? "payload" : path, path, node.asText(), findings);
        }
    }

    private void lookAtField(String place, String path, String value, List<Finding> findings) {
        if (value.isBlank() || (!path.isEmpty() && allowed.has(path))) {
            return;
        }
        if (!path.isEmpty() && sought.has(path)) {
            findings.add(new Finding(place, "by its name"));
        } else {
            look(place, value, findings);
        }
    }

    private static void look(String place, String value, List<Finding> findings) {
        likenessOf(value).ifPresent(found -> findings.add(new Finding(place, found.title())));
    }

    private static Optional<Likeness> likenessOf(String value) {
        for (Likeness one : Likeness.values()) {
            if (one.isIn(value)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }
}
