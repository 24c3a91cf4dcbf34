-- Drops entries of a stream that every group has acknowledged and that are older than the retention. Without a group the
-- retention alone counts. KEYS: stream. ARGV: retention in milliseconds.
-- Trims whole nodes only ('~'), which leaves a little more and never takes more.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return { 0 }
end
local time = redis.call('TIME')
local ms, seq = math.max(0, time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1]), 0
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local about = {}
  for i = 1, #group, 2 do
    about[group[i]] = group[i + 1]
  end
  local id = about['last-delivered-id']
  local pending = redis.call('XPENDING', KEYS[1], about.name)
  if pending[1] > 0 then
    id = pending[2]
  end
  local idMs, idSeq = string.match(id, '(%d+)%-(%d+)')
  idMs, idSeq = tonumber(idMs), tonumber(idSeq)
  if idMs < ms or (idMs == ms and idSeq < seq) then
    ms, seq = idMs, idSeq
  end
end
return { redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f-%.0f', ms, seq)) }
