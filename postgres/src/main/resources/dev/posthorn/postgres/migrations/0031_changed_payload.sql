-- A stamp is about the bytes that were checked, so a payload that is changed by hand loses it, and is checked when it is
-- published. A trigger, because only an UPDATE pays for it: a checksum in the stamp is paid for by every publish.

CREATE FUNCTION {schema}.forget_stamp() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.stamp := NULL;
  RETURN NEW;
END
$$;

CREATE TRIGGER outbox_forget_stamp BEFORE UPDATE OF payload, content_type ON {schema}.outbox
FOR EACH ROW EXECUTE FUNCTION {schema}.forget_stamp();

REVOKE ALL ON FUNCTION {schema}.forget_stamp FROM PUBLIC;
