package dev.posthorn.testkit;

import dev.posthorn.claimcheck.PayloadStore;

class MemoryPayloadStoreContractTest extends PayloadStoreContract {

    private final MemoryPayloadStore store = new MemoryPayloadStore();

    @Override
    protected PayloadStore store() {
        return store;
    }

    @Override
    protected PayloadStore unreachable() {
        MemoryPayloadStore broken = new MemoryPayloadStore();
        broken.broken(true);
        return broken;
    }

    @Override
    protected void putStranger() {
        // There is no room for any.
    }
}
