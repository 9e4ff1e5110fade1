#!/usr/bin/env bash
# Compiles the examples and the test of errors against both libraries, and runs them under valgrind and
# AddressSanitizer where there are any. Arguments go to cargo, such as --release.
set -euo pipefail
cd "$(dirname "$0")"
for readme in ../../README.md README.md; do ../quoted c examples/hint.c "$readme"; done
compiler=${CC:-cc}
if ! command -v "$compiler" >/dev/null; then
  echo "SKIPPED: there is no C compiler $compiler"
  exit 0
fi
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
cargo test --locked -p othello-c "$@"
cargo build --locked -p othello-c "$@"
profile=debug
case " $* " in *" --release "*) profile=release ;; esac
library=$target/$profile
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

compile() { # name, source, further arguments
  "$compiler" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -pthread -Iinclude -o "$folder/$1" "${@:2}"
}

run() { # name of a program, before it what runs it
  "$@" >"$folder/output" || { cat "$folder/output"; echo "failed: $*"; return 1; }
}

sanitize=(-fsanitize=address,undefined -fno-sanitize-recover=all)
echo 'int main(void) { return 0; }' >"$folder/empty.c"
{ compile empty "${sanitize[@]}" "$folder/empty.c" && "$folder/empty"; } 2>/dev/null || sanitize=()

for source in examples/{hint,play,analyze}.c tests/errors.c; do
  name=$(basename "$source" .c)
  arguments=()
  [ "$name" = analyze ] && arguments=(f5d6c3d3c4f4c5b3c2e6c6b4)
  compile "$name" "$source" "$library/libothello.a" -lm -ldl
  run "$folder/$name" "${arguments[@]}"
  compile "$name-shared" "$source" -L"$library" -lothello -Wl,-rpath,"$library"
  run "$folder/$name-shared" "${arguments[@]}"
  if [ ${#sanitize[@]} -gt 0 ]; then
    compile "$name-asan" "${sanitize[@]}" "$source" "$library/libothello.a" -lm -ldl
    run "$folder/$name-asan" "${arguments[@]}"
  else
    echo "SKIPPED: $compiler has no AddressSanitizer"
  fi
  if command -v valgrind >/dev/null; then
    run valgrind -q --error-exitcode=1 --suppressions=tests/valgrind.supp --leak-check=full \
      --errors-for-leak-kinds=definite "$folder/$name" "${arguments[@]}"
  else
    echo "SKIPPED: there is no valgrind"
  fi
  echo "$name: ok"
done

# Wrong arguments are an error of the example, not a crash.
status=0
"$folder/analyze" f5f5 2>"$folder/output" || status=$?
[ "$status" = 1 ] && grep -q 'illegal move f5: the square is occupied at offset 2' "$folder/output"
