-- Pauses a consumer, or lets it go on. KEYS: its pause. ARGV: 1 to pause, 0 to go on. Answers 1 if that was a change.
if ARGV[1] == '0' then
  return { redis.call('DEL', KEYS[1]) }
end
return { redis.call('SET', KEYS[1], '1', 'NX') and 1 or 0 }
