package dev.posthorn.postgres;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the doctor was told of how relays run, as the database does not say.
 *
 * @param relayRole whose rights to look at
 * @param largestPayloads by route, how many bytes its transport takes
 * @param retention what is wrong with how long things are kept
 */
record DoctorSetup(Optional<String> relayRole, Map<String, Long> largestPayloads, List<String> retention) {

    static final DoctorSetup UNKNOWN = new DoctorSetup(Optional.empty(), Map.of(), List.of());

    DoctorSetup {
        largestPayloads = Map.copyOf(largestPayloads);
        retention = List.copyOf(retention);
    }
}
