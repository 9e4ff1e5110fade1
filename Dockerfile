# The programs alone, from the archive that `just release` makes:
#   tar -xzf target/archives/othello-*-x86_64-unknown-linux-musl.tar.gz -C target/archives
#   docker build -f Dockerfile target/archives/othello-*-x86_64-unknown-linux-musl/ -t othello
#   docker run --rm -it othello play
FROM scratch
COPY . /
ENTRYPOINT ["/othello"]
