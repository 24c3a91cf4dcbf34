-- What a relay tells of itself with each renewal of its leases, so that whoever looks from another process knows how fast it
-- publishes and what stands in its way. Its row is written then anyway.
ALTER TABLE {schema}.relay
  ADD COLUMN published            bigint           NOT NULL DEFAULT 0,
  ADD COLUMN published_per_second double precision NOT NULL DEFAULT 0,
  ADD COLUMN obstacle             text,
  ADD COLUMN outage               text;
