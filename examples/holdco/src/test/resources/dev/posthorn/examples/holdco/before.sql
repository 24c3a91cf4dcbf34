-- What the services had before, and go on with. Run by SqlOfBeforeTest, as a role that may use nothing but the views.

-- docs:start:holdco-before
CREATE TABLE IF NOT EXISTS event_outbox (
  id             uuid        PRIMARY KEY,
  group_id       uuid        NOT NULL,
  subsidiary_id  uuid,
  aggregate_type text        NOT NULL,
  aggregate_id   uuid        NOT NULL,
  event_type     text        NOT NULL,
  payload        jsonb       NOT NULL,
  status         text        NOT NULL DEFAULT 'pending',
  available_at   timestamptz NOT NULL DEFAULT now(),
  attempts       int         NOT NULL DEFAULT 0,
  created_at     timestamptz NOT NULL DEFAULT now()
);
INSERT INTO event_outbox (id, group_id, aggregate_type, aggregate_id, event_type, payload)
VALUES (gen_random_uuid(), '5f0c6a52-0000-4000-8000-000000000001', 'order', '5f0c6a52-0000-4000-8000-000000000002',
        'created', '{"order_no": "ORD-0001", "total_amount": "125000.00", "currency": "NGN"}');
INSERT INTO event_inbox (consumer_name, event_id)
VALUES ('erp.sync', '5f0c6a52-0000-4000-8000-000000000003') ON CONFLICT DO NOTHING;
-- docs:end:holdco-before

-- docs:start:holdco-look
SELECT status, count(*), min(available_at) FROM event_outbox
WHERE created_at > now() - interval '1 hour' GROUP BY status;
-- docs:end:holdco-look

-- docs:start:index-on-view
DO $$
BEGIN
  CREATE INDEX IF NOT EXISTS ready ON event_outbox (status, available_at);
EXCEPTION WHEN wrong_object_type OR insufficient_privilege THEN
  RAISE NOTICE 'event_outbox is a view of Posthorn, whose log has its own indexes';
END
$$;
-- docs:end:index-on-view
