#!/bin/sh
# Fuzzes readers, importers, model, diagnosis and exporters for SECONDS (60) each, from the committed corpora. Needs clang with
# libFuzzer, zlib and sqlite3.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
work=$(mktemp -d)
clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -DFUZZING -DHAVE_STDCPP \
    -DHAVE_IMPORT -I. tests/fuzz/fuzz_trace.c timeline/*.c timeline/import/*.c timeline/export/*.c diagnose/*.c \
    -lz -lsqlite3 -lm -lstdc++ -o "$work/fuzz_trace"
for kind in trace kineto nsys; do
    mkdir "$work/$kind"
    corpus=tests/fuzz/corpus-$kind
    [ $kind != trace ] || corpus="tests/fuzz/corpus samples"
    "$work/fuzz_trace" "$work/$kind" $corpus -max_total_time="$seconds" -max_len=32768 -artifact_prefix="$work/"
done
echo "New inputs and crashes, if any: $work"
