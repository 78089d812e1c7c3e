#!/bin/sh
# Builds cugantt and shows the basic cases: recorded here if there is a GPU and a CUDA toolkit, else the shipped samples.
set -eu
. "$(dirname "$0")/setup.sh"
install_missing $build_packages
build_in build -Dtests=false
build/cugantt demo demo
