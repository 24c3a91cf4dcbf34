-- Gives claims up, as far as they are this session's. KEYS: marks. ARGV: the session's value.
local released = 0
for i = 1, #KEYS do
  if redis.call('GET', KEYS[i]) == ARGV[1] then
    released = released + redis.call('DEL', KEYS[i])
  end
end
return { released }
