-- Renews claims. KEYS: marks. ARGV: lease in ms, then the value of each.
-- Answers for each 1 if it is renewed, 0 if it is not there, -1 if it is somebody else's.
local answers = {}
for i = 1, #KEYS do
  local value = redis.call('GET', KEYS[i])
  if value == ARGV[i + 1] then
    answers[i] = redis.call('PEXPIRE', KEYS[i], ARGV[1])
  else
    answers[i] = value and -1 or 0
  end
end
return answers
