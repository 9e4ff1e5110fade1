# What a person does every day. Each recipe is a line or two, so nobody needs just.

default:
    @just --list

build:
    cargo build --release --workspace

test:
    cargo test --workspace

lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

doc:
    cargo doc --workspace --no-deps --open

# The node count on the last line is the search's signature.
bench:
    cargo run --release --bin othello -- bench

# The figures of docs/measurements.md that this machine can measure by itself.
measure:
    docs/measure.sh

# Example: just fuzz sloan_player
fuzz target:
    mkdir -p fuzz/corpus/{{target}}
    cargo fuzz run --sanitizer none {{target}} fuzz/corpus/{{target}} fuzz/seeds/{{target}}

# The page that needs no server, in target/page.
page:
    crates/othello-wasm/page.sh

demo:
    cargo run --release --bin othello -- demo

play *arguments:
    cargo run --release --bin othello -- play {{arguments}}

perft depth="11":
    cargo run --release --bin othello -- perft {{depth}}

# Which weights are better? Ends at once when a test finds the new ones no stronger; else 600 games give the
# figure. Example: just gate gen/2.weights gen/1.weights
gate new old:
    cargo run --release --bin othello -- match -e new=own:weights={{new}} -e old=own:weights={{old}} -l move:20ms --games 20000 --sprt elo0=0,elo1=10 --log {{new}}.gate.jsonl
    cargo run --release --bin othello -- match -e new=own:weights={{new}} -e old=own:weights={{old}} -l move:100ms --games 600 --log {{new}}.strength.jsonl

# Which weights of the Go engine are better at equal playouts? Ends when a test finds the new ones stronger, or not.
# Example: just gate-go gen/2.weights gen/1.weights
gate-go new old playouts="500" size="9":
    cargo build --release --bin go-gtp
    cargo run --release --bin go-game -- match -e new='gtp:target/release/go-gtp --weights {{new}} --playouts {{playouts}} --seed {seed}' -e old='gtp:target/release/go-gtp --weights {{old}} --playouts {{playouts}} --seed {seed}' --size {{size}} --games 20000 --sprt elo0=0,elo1=10 --log {{new}}.gate.jsonl

# The static archive for Linux in target/archives, each program of which plays a game; other systems by their target.
release target="x86_64-unknown-linux-musl":
    .ci/release {{target}}

# All that decides whether a change is good.
ci:
    .ci/run

# What ci cannot afford: every system, the oldest Rust and dependencies, the archive.
full:
    .ci/full
