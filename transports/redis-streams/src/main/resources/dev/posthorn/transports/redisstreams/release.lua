-- Gives up leases, as far as they are this member's. KEYS: leases. ARGV: this member.
local released = 0
for i = 1, #KEYS do
  if redis.call('GET', KEYS[i]) == ARGV[1] then
    released = released + redis.call('DEL', KEYS[i])
  end
end
return { released }
