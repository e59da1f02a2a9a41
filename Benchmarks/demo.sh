#!/bin/sh
# Shows what more connections do where each one is capped: the project's own origin on loopback, one file, fetched
# first over one connection and then with no flags at all.
set -eu

sheaf=$1
origin=$2
size_mib=256
cap=8M

work=$(mktemp -d)
pid=
finish() {
  [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

"$origin" --size "${size_mib}M" --seed 1 --rate "$cap" --print-sha256 >"$work/origin" &
pid=$!
tries=0
until grep -q '^sha-256 ' "$work/origin"; do
  tries=$((tries + 1))
  [ $tries -lt 200 ] || { echo "the origin did not start" >&2; exit 1; }
  sleep 0.05
done
url=$(sed -n 's/^listening on //p' "$work/origin")
sum=$(sed -n 's/^sha-256 //p' "$work/origin")

now() { date +%s%N; }

fetch() {
  name=$1
  shift
  started=$(now)
  "$sheaf" --checksum "sha-256=$sum" -d "$work" -o "$name" "$@" "$url" >/dev/null
  ended=$(now)
  echo "$sum  $work/$name" | sha256sum --check --quiet
  elapsed=$(((ended - started) / 1000000))
}

echo "A $size_mib MiB file from an origin that gives each connection ${cap}iB/s."
echo
echo "\$ sheaf -x1 $url"
fetch one -x1
one=$elapsed
echo
echo "\$ sheaf $url"
fetch many
many=$elapsed

awk -v size=$size_mib -v one=$one -v many=$many 'BEGIN {
  printf "\none connection  %7.1f MiB/s  (%.1f s)\n", size * 1000 / one, one / 1000
  printf "no flags        %7.1f MiB/s  (%.1f s)\n", size * 1000 / many, many / 1000
  printf "ratio           %7.1f\n", one / many
  print "SHA-256 right both times."
}'
