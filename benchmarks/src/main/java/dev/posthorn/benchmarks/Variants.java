package dev.posthorn.benchmarks;

import java.util.List;

/**
 * What one benchmark tries in several sizes; each is a contender of its own.
 *
 * @param batches how many rows the plain read takes per statement
 * @param retained how many published events the log still holds
 * @param clients how many emit at once
 * @param rates how many events a second are emitted
 * @param relays how many relays share a route
 * @param kind which broker
 * @param inbox where marks are kept
 */
record Variants(
        List<Integer> batches,
        List<Integer> retained,
        List<Integer> clients,
        List<Integer> rates,
        List<Integer> relays,
        String kind,
        String inbox) {

    Variants {
        batches = checked("batch", batches);
        retained = checked("number of retained events", retained);
        clients = checked("number of clients", clients);
        rates = checked("rate", rates);
        relays = checked("number of relays", relays);
    }

    static Variants standard() {
        return new Variants(
                List.of(500, 5_000),
                List.of(100_000, 1_000_000, 10_000_000),
                List.of(1, 4, 16),
                List.of(50, 1_000),
                List.of(1, 2, 4),
                "memory",
                MarksPlace.POSTGRES);
    }

    Variants withBatches(Integer... sizes) {
        return new Variants(List.of(sizes), retained, clients, rates, relays, kind, inbox);
    }

    Variants withRetained(Integer... sizes) {
        return new Variants(batches, List.of(sizes), clients, rates, relays, kind, inbox);
    }

    Variants withClients(Integer... sizes) {
        return new Variants(batches, retained, List.of(sizes), rates, relays, kind, inbox);
    }

    Variants withRates(Integer... sizes) {
        return new Variants(batches, retained, clients, List.of(sizes), relays, kind, inbox);
    }

    Variants withRelays(Integer... sizes) {
        return new Variants(batches, retained, clients, rates, List.of(sizes), kind, inbox);
    }

    Variants withKind(String name) {
        return new Variants(batches, retained, clients, rates, relays, name, inbox);
    }

    Variants withInbox(String name) {
        return new Variants(batches, retained, clients, rates, relays, kind, name);
    }

    private static List<Integer> checked(String what, List<Integer> sizes) {
        if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < 1)) {
            throw new IllegalArgumentException("each " + what + " must be at least 1, but they are " + sizes);
        }
        return List.copyOf(sizes);
    }
}
