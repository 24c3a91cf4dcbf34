-- Why the log needs a rebase, if it does.
-- Locks: none. Indexes: outbox_lane_tx_seq and checkpoint_pkey (both backwards), flush_pkey. Rows: one.
SELECT moved, ahead, lanes_moved FROM {schema}.rebase_needs()
