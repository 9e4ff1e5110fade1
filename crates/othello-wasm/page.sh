#!/usr/bin/env bash
# Builds the page that needs no server, as static files in target/page. It needs Rust with the target
# wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown), and downloads nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=target/page

cargo build --package othello-wasm --target wasm32-unknown-unknown --profile wasm
rm -rf "$page"
mkdir -p "$page"
cp crates/othello-web/page/* crates/othello-wasm/page/* "$page"
rm "$page/engine-server.js"
cp target/wasm32-unknown-unknown/wasm/othello_wasm.wasm "$page/othello.wasm"
gzip -9 --no-name --stdout crates/othello-search/src/eval/weights.bin >"$page/weights.bin.gz"

engine='<meta name="othello-engine" content='
grep -q "$engine\"server\"" "$page/index.html" || { echo "expected $engine\"server\"> in index.html" >&2; exit 1; }
# Workers start from memory, so that they need no network.
sed -i.server -e "s/$engine\"server\"/$engine\"browser\"/" -e "s/worker-src 'self'/& blob:/" \
  -e 's/engine-server\.js/engine-worker.js/' "$page/index.html"
rm "$page/index.html.server"
printf 'the page is in %s: othello.wasm %d bytes, %d compressed; weights.bin.gz %d\n' "$page" \
  "$(wc -c <"$page/othello.wasm")" "$(gzip -9 -c "$page/othello.wasm" | wc -c)" "$(wc -c <"$page/weights.bin.gz")"
