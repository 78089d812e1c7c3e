#!/bin/sh
# Draws the charts of the documentation from the shipped samples. Takes the program from build/, or CUGANTT.
set -eu
cd "$(dirname "$0")/.."
cugantt=${CUGANTT:-build/cugantt}
mkdir -p docs/charts
for trace in samples/*.cgt; do
    "$cugantt" render "$trace" -o "docs/charts/$(basename "$trace" .cgt).png"
done
"$cugantt" render --critical-path samples/pipeline-pageable.cgt -o docs/charts/critical-path.png
