package dev.posthorn.examples.openpaw;

/** Whether a version goes on to the other site. A copy is a version like any other and is told, so it would come back for ever. */
public enum LoopGuard {
    // docs:start:openpaw-guard
    /** What came from a site does not go back there. */
    BY_ORIGIN {
        @Override
        boolean lets(AssetVersion version, Site target) {
            return version.origin() != target;
        }
    },
    // docs:end:openpaw-guard

    /** None, to show what happens then. */
    NONE {
        @Override
        boolean lets(AssetVersion version, Site target) {
            return true;
        }
    };

    abstract boolean lets(AssetVersion version, Site target);
}
