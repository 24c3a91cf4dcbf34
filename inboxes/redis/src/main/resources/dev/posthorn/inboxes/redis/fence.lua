-- Makes sure of claims before effects are kept. KEYS: marks. ARGV: the session's value, lease in ms.
-- What is not there is claimed again: nobody else has it. Answers the places of those that are somebody else's.
local lost = {}
for i = 1, #KEYS do
  local value = redis.call('GET', KEYS[i])
  if not value then
    redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])
  elseif value == ARGV[1] then
    redis.call('PEXPIRE', KEYS[i], ARGV[2])
  else
    lost[#lost + 1] = i
  end
end
return lost
