# Race to 21, as an example of a referee without any JSON library: see
# docs/organiser.md. It needs the shell alone; no other program can be started.
# One bot moves at a time, so a step line holds one move, and what it needs to
# know of it is found by its keys.
count=0 next=0

say() {
    printf '%s\n' "$1"
}

# report MOVES OVER: OVER is no, ended or left.
report() {
    asks=
    [ "$2" != no ] || asks="{\"slot\":$next,\"view\":\"$count\\n\"}"
    scores=0,0
    case $winner in 0) scores=1,0 ;; 1) scores=0,1 ;; esac
    say "{\"kind\":\"report\",\"moves\":[$1],\"over\":\"$2\",\"scores\":[$scores],\"state\":{\"line\":\"$count\"},\"asks\":[$asks]}"
}

add() {
    count=$((count + $1))
    [ "$count" -lt 21 ] || winner=$next
    next=$((1 - next))
}

say '{"kind":"hello","name":"race","label":"Race to 21","min_slots":2,"max_slots":2,"turns":21,"view_bytes":16}'
winner=
read -r line || exit 0
case $line in
*'"out":[]'*) report '' no ;;
*'"out":[0]'*) winner=1 && report '' ended ;;
*'"out":[1]'*) winner=0 && report '' ended ;;
*) report '' ended ;;
esac
while read -r line; do
    act=${line#*'"act":"'} act=${act%%'"'*}
    judged='{"legal":true}' over=no
    case $act in
    reply | last_reply)
        reply=${line#*'"reply":"'} reply=${reply%%'"'*} reply=${reply%'\n'}
        case $reply in
        [123]) add "$reply" ;;
        *)
            judged='{"legal":false,"reason":"a move is 1, 2 or 3"}'
            winner=$((1 - next))
            ;;
        esac
        ;;
    pass) add 1 ;;
    out) winner=$((1 - next)) ;;
    esac
    [ -z "$winner" ] || over=ended
    if [ "$act" = last_reply ] && [ "$over" = no ]; then
        winner=$next over=left # it is gone after its move
    fi
    report "$judged" "$over"
done
