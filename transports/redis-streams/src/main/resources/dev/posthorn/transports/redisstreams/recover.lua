-- Takes over what is pending in a group, the oldest first, while the lease is this member's: its own entries whatever
-- their age, those of others once they have been idle for long enough. Stops before the first that has not, to keep order.
-- KEYS: lease, stream. ARGV: this member, group, least idle time in milliseconds, where to begin, how many.
-- Answers {1 if one must be waited for, {id, member, idle, deliveries} of each, the entries, the ids that are deleted}.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return { 'LOST' }
end
local pending = redis.call('XPENDING', KEYS[2], ARGV[2], ARGV[4], '+', ARGV[5])
local taken, waiting = {}, 0
for i, one in ipairs(pending) do
  if one[2] ~= ARGV[1] and one[3] < tonumber(ARGV[3]) then
    waiting = 1
    break
  end
  taken[i] = one
end
if #taken == 0 then
  return { waiting, {}, {}, {} }
end
local claimed = redis.call('XAUTOCLAIM', KEYS[2], ARGV[2], ARGV[1], '0', taken[1][1], 'COUNT', #taken)
return { waiting, taken, claimed[2], claimed[3] }
