package dev.posthorn.examples.transfers;

import java.io.IOException;

/** A payment rail: somebody else's system, which recognises its idempotency keys. */
public interface Rail {

    /** Submits a payment, or answers what it answered to this key before. Returns its reference. */
    String submit(String idempotencyKey, Transfer transfer) throws IOException;
}
