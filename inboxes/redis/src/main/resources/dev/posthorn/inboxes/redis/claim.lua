-- Claims marks for a session, all that are free or none. KEYS: marks. ARGV: the session's value, lease in ms.
-- Answers 1 and the places of those that are claimed now, or 0 and how long another one may have one of them, in ms.
local fresh = { 1 }
local left = -1
for i = 1, #KEYS do
  local value = redis.call('GET', KEYS[i])
  if not value then
    fresh[#fresh + 1] = i
  elseif value ~= ARGV[1] and string.sub(value, 1, 11) == 'processing:' then
    left = math.max(left, redis.call('PTTL', KEYS[i]), 0)
  end
end
if left >= 0 then
  return { 0, left }
end
for i = 2, #fresh do
  redis.call('SET', KEYS[fresh[i]], ARGV[1], 'PX', ARGV[2])
end
return fresh
