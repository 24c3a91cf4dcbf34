package dev.posthorn.relay;

import dev.posthorn.event.Event;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which events of the log are a route's. Those that are not, its cursor passes.
 *
 * @param domains events of these domains; empty: of all
 * @param types events of these types; empty: of all
 * @param tenants events of these tenants, and none without a tenant; empty: all events
 * @param exceptTenants no events of these tenants; empty: none is left out. In both, {@code GROUP/*} is a group with all its
 *     subsidiaries
 */
public record RouteFilter(Set<String> domains, Set<String> types, Set<String> tenants, Set<String> exceptTenants) {

    private static final RouteFilter ALL = new RouteFilter(Set.of(), Set.of(), Set.of());

    public RouteFilter {
        domains = sorted(domains);
        types = sorted(types);
        tenants = sorted(tenants);
        exceptTenants = sorted(exceptTenants);
        if (!tenants.isEmpty() && !exceptTenants.isEmpty()) {
            throw new IllegalArgumentException("A route's filter names tenants " + tenants + " and leaves out "
                    + exceptTenants + ". Say one of the two.");
        }
    }

    /** One that leaves out no tenant by name. */
    public RouteFilter(Set<String> domains, Set<String> types, Set<String> tenants) {
        this(domains, types, tenants, Set.of());
    }

    private static Set<String> sorted(Set<String> names) {
        for (String name : names) {
            if (name.isBlank()) {
                throw new IllegalArgumentException(
                        "A route's filter has an empty name. Leave it out to have all events.");
            }
        }
        return Collections.unmodifiableSet(new TreeSet<>(names));
    }

    /** Every event is the route's. */
    public static RouteFilter all() {
        return ALL;
    }

    public static RouteFilter ofDomains(String... domains) {
        return new RouteFilter(Set.copyOf(List.of(domains)), Set.of(), Set.of());
    }

    /** The same without events of these tenants, which have routes of their own. */
    public RouteFilter exceptTenants(String... names) {
        return new RouteFilter(domains, types, tenants, Set.copyOf(List.of(names)));
    }

    public static RouteFilter ofTenants(String... tenants) {
        return new RouteFilter(Set.of(), Set.of(), Set.copyOf(List.of(tenants)));
    }

    public boolean isAll() {
        return domains.isEmpty() && types.isEmpty() && tenants.isEmpty() && exceptTenants.isEmpty();
    }

    public boolean wants(Event event) {
        return (domains.isEmpty() || domains.contains(event.domain()))
                && (types.isEmpty() || types.contains(event.type()))
                && (tenants.isEmpty() || event.isOfTenant(tenants))
                && !event.isOfTenant(exceptTenants);
    }
}
