-- Reads new entries of shards for their group, each only while its lease is this member's: who has lost it gets nothing,
-- however late the command comes.
-- KEYS: lease and stream of each shard. ARGV: this member, then group and number of each shard.
-- Answers for each shard its entries, or a text that says why there are none.
local answer = {}
for i = 1, #KEYS, 2 do
  local entry = (i + 1) / 2
  if redis.call('GET', KEYS[i]) ~= ARGV[1] then
    answer[entry] = 'LOST'
  else
    local read = redis.pcall(
      'XREADGROUP', 'GROUP', ARGV[i + 1], ARGV[1], 'COUNT', ARGV[i + 2], 'STREAMS', KEYS[i + 1], '>')
    if not read then
      answer[entry] = {}
    elseif read.err then
      answer[entry] = read.err
    else
      answer[entry] = read[1][2]
    end
  end
end
return answer
