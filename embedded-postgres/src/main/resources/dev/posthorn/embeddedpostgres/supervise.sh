# Runs one Postgres server and ends it when asked to, or when the Java process that started it is gone.
#
#   sh -c <this text> supervise <folder> <template> <the server's command...>
#
# Standard input is a pipe from the Java process. A line "<signal> keep|remove" asks for the end and says what becomes
# of the folder. End of file without a line means that the process is gone, killed or not: then nobody needs the data,
# and the quickest way out is right. So every way out of that process leads through here.

folder=$1
template=$2
shift 2
# The server's process id, and a mark that it has ended.
pid=$folder/pid
ended=$folder/ended

# Made and filled here, so that a process killed meanwhile leaves nothing behind.
[ -d "$folder" ] || mkdir -m 711 "$folder" || exit 1

serve() {
    # Keeps owner and mode, which Postgres insists on.
    if [ -d "$folder/data" ] || cp -a "$template" "$folder/data" >>"$folder/log" 2>&1; then
        "$@" </dev/null >>"$folder/log" 2>&1 &
        echo $! >"$pid"
        wait $!
    fi
    rm -f "$pid"
    : >"$ended"
}

# Signals again and again: the first ones may arrive before the server listens to them.
end_with() {
    left=$(($2 * 50))
    while [ ! -e "$ended" ] && [ "$left" -gt 0 ]; do
        [ -e "$pid" ] && read -r server <"$pid" && kill "-$1" "$server"
        sleep 0.02
        left=$((left - 1))
    done
}

serve "$@" &

if read -r signal after; then
    end_with "$signal" 10
else
    after=remove
fi
end_with QUIT 5
end_with KILL 5

# Twice, because the last server processes may still write while the first one looks.
[ "$after" = keep ] || rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }
