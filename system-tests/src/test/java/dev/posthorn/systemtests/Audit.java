package dev.posthorn.systemtests;

import java.util.List;

/**
 * A trigger that notes, for every checkpoint, who wrote it, and who held the lane under which epoch at that moment.
 *
 * <p>Whoever writes a checkpoint has the lease row locked, so what the trigger sees is what the fence saw.
 */
final class Audit {

    private final Shop shop;

    Audit(Shop shop) {
        this.shop = shop;
        shop.run("""
                CREATE TABLE audit (lane smallint, n bigint, writer text, owner text, epoch bigint);
                CREATE FUNCTION audit_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                  INSERT INTO audit
                  SELECT NEW.lane, NEW.n, f.relay, l.owner, l.epoch
                  FROM posthorn.flush f, posthorn.lease l
                  WHERE f.id = NEW.flush AND l.route = NEW.route AND l.lane = NEW.lane;
                  RETURN NULL;
                END $$;
                CREATE TRIGGER audit AFTER INSERT ON posthorn.checkpoint
                FOR EACH ROW WHEN (NEW.n > 0) EXECUTE FUNCTION audit_checkpoint()
                """);
    }

    /** Fails if anyone wrote who did not hold the lane, if an epoch had two writers, or if a number is missing. */
    void assertOneWriterForEachEpoch() {
        nothing("a relay wrote without holding the lane", "SELECT a::text FROM audit a WHERE writer <> owner");
        nothing(
                "an epoch had two writers",
                "SELECT lane || '/' || epoch FROM audit GROUP BY lane, epoch HAVING count(DISTINCT writer) > 1");
        nothing(
                "an older epoch wrote after a newer one",
                "SELECT a::text FROM audit a JOIN audit b ON b.lane = a.lane AND b.n < a.n AND b.epoch > a.epoch");
        nothing(
                "checkpoints are missing",
                "SELECT route || '/' || lane FROM posthorn.checkpoint GROUP BY route, lane"
                        + " HAVING max(n) + 1 <> count(*)");
    }

    private void nothing(String fault, String sql) {
        List<String> found = shop.rows(sql + " LIMIT 5");
        if (!found.isEmpty()) {
            throw new AssertionError(fault + ": " + found);
        }
    }
}
