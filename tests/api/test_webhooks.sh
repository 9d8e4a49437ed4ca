#!/usr/bin/env bash
# Webhooks: told when a match is over, signed, tried again, and never into the
# network that the service stands in.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

# One receiver. /done answers 500 to its first request and 204 from then on, and
# notes each as "STATUS SIGNATURE BODY" in `heard`. /quick answers, /silent never
# does: `order` has a line as each thing happens, "quick", "silent", and "given
# up" when a silent one's peer goes.
cat >"$scratch/hook.py" <<'P'
import http.server, sys
class Hook(http.server.BaseHTTPRequestHandler):
    count = 0
    def note(self, file, *what):
        with open(sys.argv[1] + "/" + file, "a") as to:
            print(*what, file=to)
    def answer(self, status):
        self.send_response(status)
        self.end_headers()
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/done":
            Hook.count += 1
            status = 500 if Hook.count == 1 else 204
            self.note("heard", status, self.headers["Bout-Signature"], body)
            return self.answer(status)
        self.note("order", self.path[1:])
        if self.path == "/quick":
            return self.answer(204)
        self.connection.recv(1)
        self.note("order", "given up")
        self.close_connection = True
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
P
python3 "$scratch/hook.py" "$scratch" >"$scratch/port" &
hook=$!
trap 'kill $hook; serve_stop; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do
    [ -s "$scratch/port" ] && break
    sleep 0.1
done
receiver=http://127.0.0.1:$(cat "$scratch/port")
address=$receiver/done
heard() { # COUNT: lines within 30 s
    for _ in $(seq 300); do
        [ "$(cat "$scratch/heard" 2>/dev/null | wc -l)" -ge "$1" ] && return 0
        sleep 0.1
    done
    return 1
}

serve_start --ladder-rate 0 --webhook-private
# ---- one who does not answer delays nobody else -------------------------------------
new_user eve
for n in 1 2 3; do
    post /v1/webhooks "{\"url\":\"$receiver/silent\"}"
done
post /v1/webhooks "{\"url\":\"$receiver/quick\"}"
enter_bot eel tron runner/games/tron/sample_wall.c
play_match tron "$bot,$bot"
for _ in $(seq 600); do
    grep -q '^given up' "$scratch/order" 2>/dev/null && break
    sleep 0.1
done
is "a quick receiver is told while three before it are silent" 'quick silent silent silent' \
    "$(sed '/^given up/,$d' "$scratch/order" | sort | tr '\n' ' ' | sed 's/ $//')"

new_user ann
ann=$token
new_user bob
bob=$token
token=$ann
for url in ftp://x/ "http://a b/" "http://user@host/" "" "file:///etc/passwd"; do
    post /v1/webhooks "{\"url\":\"$url\"}"
    is "no webhook to '$url'" 422 "$status"
done
post /v1/webhooks "{\"url\":\"$address\"}"
is "a webhook is taken" 201 "$status"
secret=$(get .secret) id=$(get .id)
api GET /v1/webhooks
is "and listed, without its secret" "$address false" \
    "$(get '.items[0]|"\(.url) \(has("secret"))"')"
token=$bob api GET /v1/webhooks
is "to nobody else" 0 "$(get '.items|length')"

token=$ann enter_bot hunter tron runner/games/tron/sample_wall.c
hunter=$bot
token=$bob enter_bot farmer tron runner/games/tron/sample_space.c
token=$bob play_match tron "$bot,$hunter"
first=$match
ok "the owner of one of its bots is told, and again after a 500" heard 2
is "500, then 204" '500 204' "$(cut -d' ' -f1 "$scratch/heard" | tr '\n' ' ' | sed 's/ $//')"
is "of the match" "{\"event\":\"match\",\"match\":$first,\"status\":\"finished\",\"url\":\"/v1/matches/$first\"}" \
    "$(tail -1 "$scratch/heard" | cut -d' ' -f3-)"
is "the signature is that of time and body" '' "$(python3 - "$secret" "$scratch/heard" <<'P'
import hashlib, hmac, sys
for line in open(sys.argv[2]):
    _, signature, body = line.rstrip("\n").split(" ", 2)
    time, mac = (part.split("=")[1] for part in signature.split(","))
    want = hmac.new(sys.argv[1].encode(), (time + "." + body).encode(),
                    hashlib.sha256).hexdigest()
    if want != mac:
        print("wrong:", line)
P
)"
token=$bob play_match tron "$bot,$bot"
token=$ann play_match tron "$hunter,$hunter"
ok "the next of hers is told at once" heard 3
is "and bob's own is not" "\"match\":$match" \
    "$(sed -n '3s/.*\("match":[0-9]*\).*/\1/p' "$scratch/heard")"
for _ in $(seq 100); do
    token=$ann api GET /v1/webhooks
    [ "$(get '.items[0].waiting')" = 0 ] && break
    sleep 0.1
done
is "the list says how it answers" '0 0 204' \
    "$(get '.items[0]|"\(.waiting) \(.failed) \(.last_answer)"')"
token=$bob post "/v1/webhooks/$id/remove" '{}'
is "bob cannot remove it" 404 "$status"
token=$ann post "/v1/webhooks/$id/remove" '{}'
is "ann can" 200 "$status"
for _ in $(seq 10); do
    token=$ann post /v1/webhooks "{\"url\":\"$address\"}"
done
token=$ann post /v1/webhooks "{\"url\":\"$address\"}"
is "an eleventh is refused" 409 "$status"
serve_stop

# ---- public addresses only -----------------------------------------------------------
: >"$scratch/heard"
serve_start --ladder-rate 0
token=$ann play_match tron "$hunter,$hunter"
for _ in $(seq 100); do
    token=$ann api GET /v1/webhooks
    [ "$(get '[.items[]|select(.last_answer==null)]|length')" = 0 ] && break
    sleep 0.1
done
is "an address of this machine is not spoken to" '' "$(cat "$scratch/heard")"
is "and it is said why" "not tried: not a public address" \
    "$(get '[.items[].last_answer]|unique|join(" ")')"
is "all of them wait for another attempt" 10 "$(get '[.items[].waiting]|add')"
serve_stop
is "the service stops meanwhile" 0 "$stopped"
serve_done
tap_done
