-- Keeps a member among those of its subscriber, renews the leases it has and takes free ones up to its share.
-- KEYS: the members, then the leases of all shards. ARGV: this member, the lease time in milliseconds.
-- Answers the share, then for each shard 1 if it is this member's now, else 0.
-- Where the memory is full, leases are still renewed: receiving is what makes room.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local joined = redis.pcall('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2] * 2)
local share = math.ceil((#KEYS - 1) / math.max(1, redis.call('ZCARD', KEYS[1])))
local answer, free, held = { share }, {}, 0
for i = 2, #KEYS do
  local owner = redis.call('GET', KEYS[i])
  answer[i] = 0
  if owner == ARGV[1] then
    redis.call('PEXPIRE', KEYS[i], ARGV[2])
    answer[i] = 1
    held = held + 1
  elseif not owner then
    free[#free + 1] = i
  end
end
if type(joined) == 'table' and joined.err then
  answer[1] = held
  return answer
end
for _, i in ipairs(free) do
  if held < share then
    redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])
    answer[i] = 1
    held = held + 1
  end
end
return answer
