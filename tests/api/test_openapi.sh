#!/usr/bin/env bash
# /openapi.json has nothing that redocly's recommended rules find.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh

# redocly: npm's lock file pins each package by its SHA-512; what is installed is
# kept under the lock file's own hash.
lock=$(sha256sum tests/api/redocly/package-lock.json | cut -c1-16)
redocly=${BOUT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bout}/downloads/redocly-$lock
if ! [ -d "$redocly" ]; then
    mkdir -p "$(dirname "$redocly")"
    cp -r tests/api/redocly "$scratch/redocly"
    (cd "$scratch/redocly" && timeout 300 npm ci --silent --no-audit --no-fund \
        --ignore-scripts) >"$scratch/npm" 2>&1 &&
        mv "$scratch/redocly" "$redocly"
fi
is "redocly is there" 0 $? || cat "$scratch/npm"

serve_start --ladder-rate 0
curl -sS "$site/openapi.json" >"$scratch/openapi.json"
serve_stop
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
# lint FILE: the findings in $found.
lint() {
    found=$(timeout 200 node "$redocly/node_modules/@redocly/cli/bin/cli.js" \
        lint --format=json "$1" 2>"$scratch/lint.err" | jq -r \
        '.problems[] | "\(.severity) \(.ruleId) \(.location[0].pointer)"')
}
lint "$scratch/openapi.json"
is "the document has no finding" '' "$found"
jq 'del(.paths["/v1/bots"].get.responses)' "$scratch/openapi.json" \
    >"$scratch/worse.json"
lint "$scratch/worse.json"
like "a worse one has" 'no-unused-components' "$found"
serve_done
tap_done
