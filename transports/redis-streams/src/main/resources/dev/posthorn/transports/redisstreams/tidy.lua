-- Removes members from a group that have nothing pending and were not seen for long. KEYS: stream. ARGV: this member,
-- group, least idle time in milliseconds.
local removed = 0
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[2])) do
  local about = {}
  for i = 1, #consumer, 2 do
    about[consumer[i]] = consumer[i + 1]
  end
  if about.pending == 0 and about.idle > tonumber(ARGV[3]) and about.name ~= ARGV[1] then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[2], about.name)
    removed = removed + 1
  end
end
return { removed }
