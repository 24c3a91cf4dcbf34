-- Marks events as done whose effects are kept. KEYS: marks. ARGV: the session's value, how long they are known in ms.
-- What is not there is marked too: nobody else has it. Answers for each 0 if it is marked now, 1 if it was marked, 2 if somebody
-- else is at it.
local answers = {}
for i = 1, #KEYS do
  local value = redis.call('GET', KEYS[i])
  if not value or value == ARGV[1] then
    redis.call('SET', KEYS[i], 'done', 'PX', ARGV[2])
    answers[i] = 0
  elseif string.sub(value, 1, 11) == 'processing:' then
    answers[i] = 2
  else
    answers[i] = 1
  end
end
return answers
