-- Keeps how a member is, for a while. KEYS: the member, its consumer's pause. ARGV: how long in ms, then names and values.
-- Answers 1 if the consumer is paused.
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return { redis.call('EXISTS', KEYS[2]) }
