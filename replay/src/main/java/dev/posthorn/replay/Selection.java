package dev.posthorn.replay;

import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Manifest;
import dev.posthorn.event.Event;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which events. All that is given must hold; an empty set is no condition.
 *
 * @param from emitted at this time or later, by the database's clock
 * @param to emitted before this time
 */
public record Selection(
        Set<String> domains,
        Set<String> types,
        Set<String> aggregateTypes,
        Set<String> keys,
        Set<String> tenants,
        Optional<Instant> from,
        Optional<Instant> to) {

    public static final Selection ALL =
            new Selection(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Optional.empty(), Optional.empty());

    public Selection {
        domains = Set.copyOf(domains);
        types = Set.copyOf(types);
        aggregateTypes = Set.copyOf(aggregateTypes);
        keys = Set.copyOf(keys);
        tenants = Set.copyOf(tenants);
        if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
            throw new IllegalArgumentException(
                    "No time is from " + from.get() + " on and before " + to.get() + ". Correct one of them.");
        }
    }

    public Selection withDomains(Set<String> chosen) {
        return new Selection(chosen, types, aggregateTypes, keys, tenants, from, to);
    }

    public Selection withTypes(Set<String> chosen) {
        return new Selection(domains, chosen, aggregateTypes, keys, tenants, from, to);
    }

    public Selection withAggregateTypes(Set<String> chosen) {
        return new Selection(domains, types, chosen, keys, tenants, from, to);
    }

    public Selection withKeys(Set<String> chosen) {
        return new Selection(domains, types, aggregateTypes, chosen, tenants, from, to);
    }

    public Selection withTenants(Set<String> chosen) {
        return new Selection(domains, types, aggregateTypes, keys, chosen, from, to);
    }

    public Selection between(@Nullable Instant start, @Nullable Instant end) {
        return new Selection(
                domains, types, aggregateTypes, keys, tenants, Optional.ofNullable(start), Optional.ofNullable(end));
    }

    boolean matches(ArchivedEvent archived) {
        Event event = archived.event();
        Instant at = archived.place().createdAt();
        return has(domains, Optional.of(event.domain()))
                && has(types, Optional.of(event.type()))
                && has(aggregateTypes, event.aggregateType())
                && has(keys, event.key())
                && (tenants.isEmpty() || event.isOfTenant(tenants))
                && from.map(time -> !at.isBefore(time)).orElse(true)
                && to.map(at::isBefore).orElse(true);
    }

    boolean mayMatch(Manifest volume) {
        return from.map(time -> !volume.lastCreatedAt().isBefore(time)).orElse(true)
                && to.map(time -> volume.firstCreatedAt().isBefore(time)).orElse(true);
    }

    private static boolean has(Set<String> wanted, Optional<String> value) {
        return wanted.isEmpty() || value.filter(wanted::contains).isPresent();
    }
}
