package dev.posthorn.examples.licenses;

import dev.posthorn.codecs.JsonCodec;
import dev.posthorn.event.PayloadCodec;
import dev.posthorn.registry.Contract;
import dev.posthorn.registry.EventType;
import dev.posthorn.registry.Mode;
import dev.posthorn.registry.Registry;
import java.util.List;

/** Which types of events there are, what they are about and what their payload is. */
public final class EventTypes {

    /** What payloads are written and read with. */
    static final PayloadCodec JSON = new JsonCodec();

    // docs:start:licenses-registry
    /** For a {@code CheckedOutbox} and, because anybody may insert a row, a {@code CheckedPublisher}. */
    public static final Registry REGISTRY = Registry.of(
            Mode.STRICT,
            List.of(EventType.of(Licenses.DOMAIN, LicenseStatusChanged.TYPE)
                    .aggregate(Licenses.AGGREGATE_TYPE)
                    .payload(Contract.of(LicenseStatusChanged.class, JSON))));
    // docs:end:licenses-registry

    private EventTypes() {}
}
