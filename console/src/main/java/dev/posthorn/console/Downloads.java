package dev.posthorn.console;

import dev.posthorn.postgres.LargeBytes;

/** Payloads and bodies as files. They are sent as they are, so values that are hidden from a caller cannot be in them. */
final class Downloads {

    private Downloads() {}

    /** Throws if there is no such thing, or if this caller may not see all of it. */
    static Answer of(Call call, ConsoleSetup setup, String name, LargeBytes bytes) {
        if (!call.disclosure(setup.facts().disclosure()).isWhole()) {
            throw Refusal.forbidden(
                    "redacted",
                    "Values are hidden from this role (privacy.redact), and a file has all of them. Ask an admin.");
        }
        long size = bytes.size().orElseThrow(() -> Refusal.missing("There is nothing to download under this ID."));
        return Answer.download(name, size, bytes::writeTo);
    }
}
