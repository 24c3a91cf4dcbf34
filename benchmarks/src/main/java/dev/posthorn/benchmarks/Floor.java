package dev.posthorn.benchmarks;

/**
 * What a figure must reach, or must not exceed.
 *
 * @param what the figure in words
 * @param value what was measured
 * @param bound what is promised
 * @param kind on which side of the bound the figure must lie
 */
record Floor(String what, double value, double bound, Kind kind) {

    enum Kind {
        AT_LEAST("≥") {
            @Override
            boolean holds(double value, double bound) {
                return value >= bound;
            }
        },
        AT_MOST("≤") {
            @Override
            boolean holds(double value, double bound) {
                return value <= bound;
            }
        };

        final String sign;

        Kind(String sign) {
            this.sign = sign;
        }

        abstract boolean holds(double value, double bound);
    }

    static Floor atLeast(String what, double value, double bound) {
        return new Floor(what, value, bound, Kind.AT_LEAST);
    }

    static Floor atMost(String what, double value, double bound) {
        return new Floor(what, value, bound, Kind.AT_MOST);
    }

    boolean holds() {
        return kind.holds(value, bound);
    }
}
