package dev.posthorn.archive;

import java.util.Optional;

/**
 * Some archived events under one name.
 *
 * @param manifest what is in it, unless that can not be read
 * @param fault what is wrong with it, for people
 */
public record Volume(String name, Optional<Manifest> manifest, Optional<String> fault) {

    static Volume sound(String name, Manifest manifest) {
        return new Volume(name, Optional.of(manifest), Optional.empty());
    }

    static Volume damaged(String name, Optional<Manifest> manifest, String fault) {
        return new Volume(name, manifest, Optional.of(fault));
    }
}
