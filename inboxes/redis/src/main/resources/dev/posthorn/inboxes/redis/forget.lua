-- Removes marks of what is done, so that it is handled when it comes again. KEYS: marks. Answers how many there were.
local removed = 0
for i = 1, #KEYS do
  local value = redis.call('GET', KEYS[i])
  if value and string.sub(value, 1, 11) ~= 'processing:' then
    removed = removed + redis.call('DEL', KEYS[i])
  end
end
return { removed }
