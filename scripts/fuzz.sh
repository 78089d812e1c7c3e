#!/bin/sh
# Fuzzes the trace reader, the model and the diagnosis for SECONDS (60), from the committed corpus. Needs clang with libFuzzer.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
work=$(mktemp -d)
clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -DFUZZING -DHAVE_STDCPP -I. \
    tests/fuzz/fuzz_trace.c timeline/*.c timeline/import/import.c diagnose/*.c -lm -lstdc++ -o "$work/fuzz_trace"
mkdir "$work/corpus"
"$work/fuzz_trace" "$work/corpus" tests/fuzz/corpus samples -max_total_time="$seconds" -max_len=16384 -artifact_prefix="$work/"
echo "New inputs and crashes, if any: $work"
