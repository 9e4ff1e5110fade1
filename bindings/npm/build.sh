#!/usr/bin/env bash
# Builds the package in the folder package/, and its archive with npm pack. It needs Rust with the target
# wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown); the archive needs npm.
set -euo pipefail
cd "$(dirname "$0")"
if ! [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ]; then
  echo 'expected the target wasm32-unknown-unknown of Rust: rustup target add wasm32-unknown-unknown' >&2
  exit 1
fi
root=../..
target=${CARGO_TARGET_DIR:-$root/target}
(cd "$root" && cargo build --locked --package othello-wasm --target wasm32-unknown-unknown --profile wasm)
rm -rf package
mkdir package
cp -r package.json README.md ./*.js index.d.ts examples "$root"/LICENSE-* package
cp "$root"/crates/othello-wasm/page/{lane,worker}.js package
cp "$target/wasm32-unknown-unknown/wasm/othello_wasm.wasm" package/othello.wasm
gzip -9 --no-name --stdout "$root/crates/othello-search/src/eval/weights.bin" >package/weights.bin.gz
if command -v npm >/dev/null; then
  npm pack --silent --pack-destination . ./package
else
  echo 'SKIPPED: the archive, there is no npm'
fi
