package dev.posthorn.spring;

import dev.posthorn.event.PosthornException;
import dev.posthorn.spring.PosthornProperties.Destination;
import dev.posthorn.spring.PosthornProperties.NamesProperties;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.DestinationAddress;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Transport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The transports of the application by what properties call them: a name under {@code posthorn.transports}, the name of a bean,
 * or an address. What is named twice is opened once. Closes what it opened; beans are Spring's to close.
 */
final class Destinations implements AutoCloseable {

    /** Addresses are opened with these beside them. */
    interface Opening {
        Transport open(String address, Destination with);
    }

    private final PosthornProperties properties;
    private final Map<String, Transport> beans;
    private final Opening opening;
    private final boolean replaced;
    private final Map<String, Transport> opened = new LinkedHashMap<>();

    /** With what opens addresses, and a bean that does so instead, if there is one. */
    Destinations(
            PosthornProperties properties,
            Map<String, Transport> beans,
            Opening opening,
            @Nullable TransportOpener instead) {
        this.properties = properties;
        this.beans = Map.copyOf(beans);
        this.opening = instead == null ? opening : (address, with) -> instead.open(address);
        this.replaced = instead != null;
    }

    /** The transport that is meant where none is named, or empty if there is none or a choice. */
    private Optional<String> standard() {
        if (properties.transport() != null) {
            return Optional.of(properties.transport());
        }
        Set<String> all = choices();
        return all.size() == 1 ? Optional.of(all.iterator().next()) : Optional.empty();
    }

    private Set<String> choices() {
        return new TreeSet<>(beans.isEmpty() ? properties.transports().keySet() : beans.keySet());
    }

    /** Without a choice nothing may seem to be published: memory is used only where it is named. */
    private PosthornException undecided() {
        Set<String> all = choices();
        return new PosthornException(
                all.isEmpty()
                        ? "no transport is configured, so events would be published to nobody. Set posthorn.transport to an"
                                + " address (" + TransportAddress.forms() + "), or define a Transport bean"
                        : "there are " + all.size() + " transports, " + String.join(", ", all)
                                + ", and none is chosen. Set posthorn.transport to one of them, or name one here");
    }

    /** Whether it reads the log itself, so that nothing need be published to it. */
    boolean isOwnLog(@Nullable String reference) {
        String name = reference == null ? standard().orElse("") : reference;
        Destination named = properties.transports().get(name);
        return !replaced && TransportAddress.OWN_LOG.equals(named == null ? name : named.address());
    }

    /** The transport, or empty with one more fault. */
    synchronized Optional<Transport> find(@Nullable String reference, String property, List<String> faults) {
        try {
            return Optional.of(open(reference == null ? standard().orElseThrow(this::undecided) : reference));
        } catch (PosthornException | IllegalArgumentException wrong) {
            faults.add(property + ": " + wrong.getMessage());
            return Optional.empty();
        }
    }

    /** Where a route publishes, without secrets; empty for a bean, whose address is not known here. */
    Optional<String> placeOf(@Nullable String reference) {
        String name = reference == null ? standard().orElse("") : reference;
        return replaced || beans.containsKey(name)
                ? Optional.empty()
                : Optional.of(placeOf(addressOf(name), settingsOf(name)));
    }

    static String placeOf(String address, Destination settings) {
        return DestinationAddress.of(address, settings.prefix())
                + settings.names().settings();
    }

    /** The same for consumers. */
    Optional<Bus> findBus(@Nullable String reference, String property, List<String> faults) {
        Optional<Transport> found = find(reference, property, faults);
        if (found.isPresent() && !(found.get() instanceof Bus)) {
            faults.add(
                    property + ": the transport " + found.get().name() + " can only publish, and a consumer receives");
        }
        return found.filter(Bus.class::isInstance).map(Bus.class::cast);
    }

    private Transport open(String name) {
        Transport bean = beans.get(name);
        if (bean != null) {
            return bean;
        }
        Transport known = opened.get(name);
        if (known != null) {
            return known;
        }
        String address = addressOf(name);
        Destination settings = settingsOf(name);
        try {
            var unused = Provision.named(settings.provision());
        } catch (PosthornException wrong) {
            throw new PosthornException("posthorn.transports." + name + ".provision: " + wrong.getMessage(), wrong);
        }
        try {
            settings.names().settings().checkFor(address);
        } catch (PosthornException wrong) {
            throw new PosthornException("posthorn.transports." + name + ".names: " + wrong.getMessage(), wrong);
        }
        Transport fresh = opening.open(address, settings);
        opened.put(name, fresh);
        return fresh;
    }

    private String addressOf(String name) {
        Destination named = properties.transports().get(name);
        if (named != null) {
            if (named.address() == null) {
                throw new PosthornException("posthorn.transports." + name + ".address is missing");
            }
            return named.address();
        }
        if (!TransportAddress.isOne(name)) {
            throw new PosthornException(
                    "\"" + withoutSecrets(name) + "\" is neither a name under posthorn.transports nor"
                            + " that of a bean nor an address; addresses are " + TransportAddress.forms());
        }
        return name;
    }

    private Destination settingsOf(String name) {
        Destination named = properties.transports().get(name);
        return named == null
                ? new Destination(name, "posthorn", Provision.CREATE.word(), NamesProperties.STANDARD, Map.of())
                : named;
    }

    /** Whatever it was meant to be, what stands before an @ may be a password. */
    private static String withoutSecrets(String text) {
        int at = text.lastIndexOf('@');
        return at < 0 ? text : "…" + text.substring(at);
    }

    /** Has consumers that read the log itself look at once. */
    synchronized void wakeUp() {
        opened.values().forEach(TransportAddress::wakeUp);
    }

    @Override
    public synchronized void close() {
        opened.values().forEach(Transport::close);
        opened.clear();
    }
}
