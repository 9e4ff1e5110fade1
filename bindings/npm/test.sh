#!/usr/bin/env bash
# Installs the archive of build.sh into an empty project and runs its example and tests there. Declarations are checked
# where there is tsc.
set -euo pipefail
cd "$(dirname "$0")"
for readme in ../../README.md README.md; do ../quoted js examples/hint.mjs "$readme"; done
if ! command -v npm >/dev/null; then
  echo 'SKIPPED: there is no node with npm'
  exit 0
fi
archive=$PWD/$(ls othello-engine-*.tgz)
tests=$PWD/test
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --offline --no-audit --no-fund "$archive"
cp "$tests"/* node_modules/othello-engine/examples/* .
node hint.mjs
node --test test.mjs
rm node_modules/othello-engine/weights.bin.gz
if node hint.mjs 2>errors || ! grep -q 'no such file.*weights.bin.gz' errors; then
  cat errors
  echo 'expected an error for the file of weights that is missing'
  exit 1
fi
if command -v tsc >/dev/null; then
  tsc --noEmit --strict --target es2022 --module nodenext types.mts
else
  echo 'SKIPPED: the declarations, there is no tsc'
fi
