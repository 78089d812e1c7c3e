#!/bin/sh
# on_gpu.sh OUT: for a machine with an NVIDIA GPU. Builds without charts (GPU nodes rarely have cairo), runs the tests that
# need the GPU, records the samples, and leaves everything in OUT as one archive.
set -u
out=${1:?directory for the results}
cd "$(dirname "$0")/.." || exit 1
mkdir -p "$out"
work=$(mktemp -d)
status=0

finish() {
    tar -C "$work" -czf "$out/gpu.tar.gz" .
    rm -rf "$work"
    exit $status
}
# Stopped half-way (timeout(1)): what there is, is kept.
trap 'status=1; finish' TERM INT

{
    date -u +%Y-%m-%dT%H:%M:%SZ
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    nvcc --version | tail -n 2
    uname -r
} >"$work/machine.txt" 2>&1

meson setup build-gpu -Drender=disabled >"$work/build.txt" 2>&1 && ninja -C build-gpu >>"$work/build.txt" 2>&1 || {
    tail -n 40 "$work/build.txt"
    exit 1
}
meson test -C build-gpu --no-rebuild --print-errorlogs || status=1
cp build-gpu/meson-logs/testlog.txt "$work/"

mkdir "$work/samples"
for name in $(build-gpu/cugantt run --list | grep -v -e '^to-device' -e '--pcie' | cut -d ' ' -f 1); do
    build-gpu/cugantt run "$name" -o "$work/samples/$name.cgt" || status=1
    ! build-gpu/cugantt run --list | grep -q "^$name .*has --fixed" ||
        build-gpu/cugantt run "$name" --fixed -o "$work/samples/$name-fixed.cgt" || status=1
done
for trace in "$work"/samples/*.cgt; do
    build-gpu/cugantt explain "$trace" >"${trace%.cgt}.txt" || status=1
done
# With samples of the PCIe link.
for name in staging both-ways; do
    build-gpu/cugantt run "$name" --pcie=2us -o "$work/samples/$name.cgt" || status=1
done
build-gpu/cugantt record --pcie=2us --title "Numba: to_device from pageable memory, then from pinned" -o "$work/samples/numba-to-device.cgt" -- python3 scripts/numba_to_device.py || status=1
# The experiments of docs/to_device.md, in C and with Numba, and what their timed parts took; and other libraries.
for letter in a b c d e f g g-stream g-pinned g-stream-pinned h i; do
    pcie=
    [ "$letter" = h ] && pcie=--pcie=5us
    build-gpu/cugantt run "to-device-$letter" $pcie -o "$work/samples/to-device-$letter.cgt" >"$work/samples/to-device-$letter.out" || status=1
    build-gpu/cugantt record $pcie --title "Numba's to_device, case $letter" -o "$work/samples/numba-$letter.cgt" -- \
        python3 docs/examples/numba_to_device.py "$letter" >"$work/samples/numba-$letter.out" || status=1
done
if python3 -c 'import IPython' 2>/dev/null; then
    python3 docs/examples/timeit_line.py --numba >"$work/samples/timeit-line.out" 2>&1 || status=1
fi
build-gpu/cugantt record --title "PyTorch: non_blocking copies, pageable and then pinned" -o "$work/samples/pytorch.cgt" -- \
    python3 docs/examples/pytorch_non_blocking.py || status=1
build-gpu/cugantt record --title "CuPy: two streams, pageable and then pinned" -o "$work/samples/cupy.cgt" -- \
    python3 docs/examples/cupy_streams.py || status=1
finish
