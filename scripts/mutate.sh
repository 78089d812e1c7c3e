#!/bin/sh
# Seeds one fault after another into a copy of the tree: each must turn the tests red. Takes a few minutes.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive HEAD | tar -x -C "$work"
build=$work/build
meson setup "$build" "$work" >/dev/null && ninja -C "$build" >/dev/null || { echo "The tree does not build."; exit 1; }
suites="--suite unit --suite layout --suite golden --suite mock --suite cli"
meson test -C "$build" --no-rebuild $suites >/dev/null 2>&1 || { echo "The tests fail without any fault."; exit 1; }
missed=0

# mutate FILE FROM TO WHAT: replaces the first FROM in FILE
mutate() {
    cp "$work/$1" "$work/saved"
    python3 - "$work/$1" "$2" "$3" <<'EOF' || { echo "STALE   $4: \"$2\" is no longer in $1"; missed=1; return; }
import sys
path, old, new = sys.argv[1:]
text = open(path).read()
if old not in text:
    sys.exit(1)
open(path, "w").write(text.replace(old, new, 1))
EOF
    if ! ninja -C "$build" >/dev/null 2>&1; then
        echo "caught  $4 (does not compile)"
    elif meson test -C "$build" --no-rebuild $suites >/dev/null 2>&1; then
        echo "MISSED  $4"
        missed=1
    else
        echo "caught  $4"
    fi
    cp "$work/saved" "$work/$1"
}

mutate timeline/model.c '.begin_ns = op->begin_ns + shift' '.begin_ns = op->end_ns + shift' 'begin and end swapped'
mutate timeline/model.c 'm->loss.invalid += spans == NULL' '(void)0' 'invalid operations not counted'
mutate timeline/model.c 'm->lanes[lane].stream_flag = stream->flag' '(void)0' 'stream flags forgotten'
mutate timeline/reader.c 'h->payload_crc != crc32_update' '0 != 0 * crc32_update' 'checksums not checked'
mutate timeline/writer.c 'w->lost_unsaid += count;' ';' 'lost records not told'
mutate timeline/model_describe.c '(up ? SPAN_HTOD : 0)' '(up ? SPAN_DTOH : 0)' 'copy directions swapped'
mutate diagnose/constraints.c 'release_raise(&context->null, done);' ';' 'default stream holds nobody'
mutate diagnose/constraints.c 'release_raise(&stream->waited, event->done);' ';' 'event waits forgotten'
mutate diagnose/engine.c 'last->lane != op->lane ? e->last : e->last_other' 'last->lane != op->lane ? e->last_other : e->last' 'copy engine blames the wrong copy'
mutate diagnose/host.c '[CALL_SYNC] = CAUSE_HOST_SYNC' '[CALL_SYNC] = CAUSE_HOST_BUSY' 'synchronise calls not seen'
mutate diagnose/staging.c 'op->end_ns - op->begin_ns - pinned_ns' 'op->end_ns - op->begin_ns' 'whole copy counted as staging'
mutate diagnose/overlap.c 'if (s->running == 1)
        shared_add' 'if (s->running == 2)
        shared_add' 'overlap of three instead of two'
mutate render/scale.c 'scale->left + (double)(time_ns - scale->begin_ns)' 'scale->left + 3 + (double)(time_ns - scale->begin_ns)' 'bars shifted'
mutate tracer/collect.c 'loss_count(CGT_LOSS_DROPPED, dropped)' '(void)dropped' 'dropped records not counted'
mutate tracer/bus_records.c 'loss_count(CGT_LOSS_SAMPLES, (uint64_t)((next' '(void)((uint64_t)((next' 'samples of the bus lost in silence'
mutate tracer/bus_records.c 'run->from_device_bytes += next' 'run->from_device_bytes = next' 'bytes of joined samples lost'
mutate diagnose/bus.c 'candidates_meet(b);' ';' 'copies side by side taken for alone'
mutate render/strips.c 'columns[c] += per_px' 'columns[c] = per_px' 'strips drop samples denser than pixels'
exit $missed
