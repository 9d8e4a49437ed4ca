# npm.sh: sourced by tests that need a package of the npm registry.
#
#     npm_package NAME VERSION SHA512   unpacks it; its folder is in $package
#
# Fetched by `npm pack` once, checked against the pinned SHA-512 each time, kept
# in the download cache. Returns 1, with the reason on stderr, if it is not to be
# had.
npm_package() {
    local downloads=${BOUT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bout}/downloads
    local archive=$1-$2.tgz
    mkdir -p "$downloads" "$scratch/npm/$1" || return 1
    if ! echo "$3  $downloads/$archive" | sha512sum -c --status 2>/dev/null; then
        (cd "$scratch/npm" &&
            timeout 120 npm pack --silent --ignore-scripts "$1@$2" >/dev/null) || {
            echo "npm: cannot get $1@$2" >&2
            return 1
        }
        echo "$3  $scratch/npm/$archive" | sha512sum -c --status || {
            echo "npm: $1@$2 is not the package that we know" >&2
            return 1
        }
        mv "$scratch/npm/$archive" "$downloads/$archive"
    fi
    tar -xzf "$downloads/$archive" -C "$scratch/npm/$1" || return 1
    package=$scratch/npm/$1/package
}
