#!/usr/bin/env bash
# What only a GPU can tell, in one command and under nine minutes: the libraries that
# are found; the corpus of random programs and the tables of operations on the GPU; the
# compute-sanitizer on small cases, where it is installed; the examples on real data, if
# there is any; timings against PyTorch Geometric, where python3 has it.
#
#   run.sh           build, if there is Go, then run
#   run.sh build     only build: bin/, and bin.tar.gz with the same, which with this
#                    script is all that a Linux machine without Go needs
#   run.sh run       only run what was built; with names, only these parts: corpus, tests,
#                    sanitizers, examples, timings
#
# Results go to $OUT, or else to results/: summary.txt has a line for each part, log.txt
# what they printed, results.md and results.jsonl the timings. A part that fails does not
# keep the next from running; the exit code is how many failed. For tests of this script:
#
#   GPU_DEVICE=emulated   no GPU: tests and timings of a tiny graph on the emulator
#   GPU_SEEDS=400         random programs in the corpus
#   GPU_FROM=0            the seed of the first of them
#   GPU_LIMIT=240         seconds for timings
#   GPU_DATA=             folder of the data sets that the examples train on; empty for none
#   GPU_PYTHON=python3    the interpreter with PyTorch; empty for none
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$here/bin
out=${OUT:-$here/results}
device=${GPU_DEVICE:-cuda}
seeds=${GPU_SEEDS:-400}
from=${GPU_FROM:-0}
limit=${GPU_LIMIT:-240}
python=${GPU_PYTHON-python3}
data=${GPU_DATA:-}

# What the examples are told, beside the folder and the device.
declare -A arguments=(
  [gcn]="-dataset cora -seeds 10"
  [gat]="-dataset cora -seeds 10"
  [sage_minibatch]="-dataset cora -seeds 5"
  [rgcn_entity]="-dataset aifb -seeds 5"
  [hgt_hgb]="-dataset hgb-acm -epochs 100"
  [gated_ggnn]="-dataset mutag -epochs 20"
)

build() {
  export CGO_ENABLED=0 GOOS=linux GOARCH=amd64
  mkdir -p "$bin" || return
  cd "$here/../.." || return
  for package in cudagen cudagen/dense tensor autograd nn nn/train optim gnn data; do
    go test -c -trimpath -ldflags='-s -w' -o "$bin/${package//\//-}.test" "./$package" || return
  done
  go build -trimpath -ldflags='-s -w' -o "$bin/gpu" ./benchmarks/gpu || return
  for package in "${!arguments[@]}"; do
    go build -trimpath -ldflags='-s -w' -o "$bin/examples/" "./examples/$package" || return
  done
  tar -C "$here" -czf "$bin.tar.gz" bin && ls -l "$bin.tar.gz"
}

failed=0
pids=()
report() { echo "$1" | tee -a "$out/summary.txt"; }

# part NAME SECONDS COMMAND...: runs a command with a log and a limit of time, at whose
# end a Go program says where it is.
part() {
  local name=$1 seconds=$2 start=$SECONDS code skipped
  shift 2
  timeout -s QUIT -k 5 "$seconds" "$@" >"$logs/$name" 2>&1
  code=$?
  skipped=$(grep -c -- '^ *--- SKIP' "$logs/$name")
  if [ $code = 0 ]; then
    report "ok        $name, $((SECONDS - start)) s, $skipped tests skipped"
    return
  fi
  report "FAILED    $name, $((SECONDS - start)) s, exit code $code: $(grep -m 1 -E '^ *--- FAIL|^panic:|^SIG|^gpu:|ERROR SUMMARY' "$logs/$name")"
  return 1
}

# beside is part in the background; together waits for all and counts failures.
beside() {
  part "$@" &
  pids+=($!)
}
together() {
  local pid
  for pid in "${pids[@]}"; do wait "$pid" || failed=$((failed + 1)); done
  pids=()
}

# Ten processes: compiling takes most of the time.
corpus() {
  local digit
  for digit in 0 1 2 3 4 5 6 7 8 9; do
    beside "corpus-$digit" 130 "$bin/cudagen.test" "${on[@]}" -from "$from" -seeds "$seeds" -test.v -test.run "^TestRandomProgramsOnTheDevice.*/^[0-9]*${digit}_"
  done
  together
}

tests() {
  local name
  beside programs 110 "$bin/cudagen.test" "${on[@]}" -test.v -test.skip '^TestRandomPrograms'
  beside dense 110 "$bin/cudagen-dense.test" "${on[@]}" -test.v -test.skip 'Text|Clang' # these read files of the sources
  beside tensors 110 "$bin/tensor.test" "${on[@]}" -test.v -test.run Device
  beside operations 110 "$bin/autograd.test" "${on[@]}" -test.v -test.run Device
  beside modules 80 "$bin/nn.test" "${on[@]}" -test.v -test.run Device
  beside optimisers 80 "$bin/optim.test" "${on[@]}" -test.v -test.run Device
  for name in nn-train gnn data; do
    beside "$name" 80 "$bin/$name.test" "${on[@]}" -test.v -test.run Device
  done
  together
}

sanitizers() {
  local tool
  [ "$device" = cuda ] || return 0
  if ! command -v compute-sanitizer >/dev/null; then
    report "left out  compute-sanitizer: not installed"
    return
  fi
  for tool in memcheck racecheck synccheck; do
    beside "$tool" 100 compute-sanitizer --tool "$tool" --error-exitcode 9 "$bin/cudagen.test" -cuda -seeds 8 \
      -test.run 'OnTheDeviceEqual|^TestRandomPrograms'
  done
  beside memcheck-operations 100 compute-sanitizer --tool memcheck --error-exitcode 9 "$bin/autograd.test" -cuda -test.run Device
  beside memcheck-modules 100 compute-sanitizer --tool memcheck --error-exitcode 9 "$bin/nn.test" -cuda -test.run Device
  beside racecheck-operations 120 compute-sanitizer --tool racecheck --error-exitcode 9 "$bin/autograd.test" -cuda -test.run Device
  together
}

# The examples train whole models; what they reach is reported, for comparison with README's table.
examples() {
  local name
  [ "$device" = cuda ] || return 0
  if [ -z "$data" ]; then
    report "left out  examples: no GPU_DATA"
    return
  fi
  for name in "${!arguments[@]}"; do
    # shellcheck disable=SC2086 # a list of arguments
    beside "example-$name" 120 "$bin/examples/$name" -data "$data" -device cuda -json ${arguments[$name]}
  done
  together
  for name in "$logs"/example-*; do
    report "reached   $(basename "$name"): $(tail -n 1 "$name")"
  done
}

# timings have what is left of the nine minutes.
timings() {
  local left=$((530 - SECONDS - 40))
  [ "$left" -lt "$limit" ] && limit=$left
  part timings $((limit + 40)) "$bin/gpu" -device "$device" -python "$python" -limit "${limit}s" -out "$out" || failed=$((failed + 1))
}

run() {
  SECONDS=0 # building does not count
  mkdir -p "$out" || return
  logs=$(mktemp -d) || return
  trap 'tail -n +1 "$logs"/* >"$out/log.txt"; rm -rf "$logs"' EXIT
  : >"$out/summary.txt"
  cd "$here" || return
  [ -x "$bin/gpu" ] || tar -xzf bin.tar.gz || return
  command -v nvidia-smi >/dev/null && nvidia-smi >"$logs/nvidia-smi" 2>&1
  part devices 30 "$bin/gpu" -devices -device "$device" || failed=$((failed + 1))
  cat "$logs/devices"
  local on=(-cuda) name
  [ "$device" = cuda ] || on=(-test.short)
  for name in "$@"; do "$name"; done
  [ -f "$out/results.md" ] && cat "$out/results.md"
  cat "$out/summary.txt"
  return "$failed"
}

command=${1:-all}
[ $# = 0 ] || shift
[ $# = 0 ] && set -- corpus tests sanitizers examples timings
for name in "$@"; do
  case $name in
  corpus | tests | sanitizers | examples | timings) ;;
  *)
    echo "run.sh: no part \"$name\", there are corpus, tests, sanitizers, examples and timings" >&2
    exit 2
    ;;
  esac
done
case $command in
build) build ;;
run) run "$@" ;;
all)
  if command -v go >/dev/null; then (build) || exit 1; fi
  run "$@"
  ;;
*)
  echo "run.sh: no command \"$command\", there are build and run" >&2
  exit 2
  ;;
esac
