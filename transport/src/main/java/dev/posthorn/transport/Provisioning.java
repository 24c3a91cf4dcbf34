package dev.posthorn.transport;

/**
 * What a transport does about the destinations that it needs, and which of them it knows.
 *
 * <p>A destination is created the first time it is needed. One that existed before and is missing now is left missing: its
 * subscribers lost their subscriptions with it, so events published to a new one would reach nobody. Immutable.
 *
 * @param register what exists; {@link DestinationRegister#NONE} creates whatever is missing
 */
public record Provisioning(Provision mode, DestinationRegister register) {

    /** Creates whatever is missing. */
    public static final Provisioning STANDARD = of(Provision.CREATE);

    /** Without a memory. */
    public static Provisioning of(Provision mode) {
        return new Provisioning(mode, DestinationRegister.NONE);
    }

    public Provisioning mode(Provision chosen) {
        return new Provisioning(chosen, register);
    }

    public boolean creates() {
        return mode == Provision.CREATE;
    }

    public boolean verifies() {
        return mode == Provision.VERIFY;
    }

    public boolean isOff() {
        return mode == Provision.OFF;
    }

    /** Whether to create this one, which is missing now; records it as missing if not. */
    public boolean mayCreate(DestinationKind kind, String name) {
        if (creates() && !register.isKnown(kind, name)) {
            return true;
        }
        if (!isOff()) {
            register.missing(kind, name);
        }
        return false;
    }

    /** It exists: it was just found or created. */
    public void found(DestinationKind kind, String name) {
        register.found(kind, name);
    }

    /** Says that it is missing, why it is not created, and what to do. */
    public String missing(DestinationKind kind, String name) {
        String what = "the " + kind.word() + " " + name + " is missing";
        if (creates()) {
            return what + ". It existed before, so it is not created again by itself: "
                    + (kind.carriesEvents()
                            ? "its subscribers lost their subscriptions with it"
                            : "what was published meanwhile did not reach it")
                    + ". To let it be created, run: posthorn destinations create " + name;
        }
        return what + ", and provision is " + mode.word() + ", so it is not created. Create it at the broker, or set"
                + " provision to create";
    }

    /** Without the register, which may hold a connection. */
    @Override
    public String toString() {
        return mode.word();
    }
}
