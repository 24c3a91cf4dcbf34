-- A member has ended. KEYS: the member.
return { redis.call('DEL', KEYS[1]) }
