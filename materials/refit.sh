#!/bin/sh
# materials/refit.sh CLOTHBENCH REPEATS.csv LOADS.csv: fits every pair of the published tables anew, rewrites materials/friction.yaml
# and builds materials.db from the text. To be run when the fit changes; tests/test_materials.c tells.
set -eu
[ $# = 3 ] || { echo "usage: materials/refit.sh CLOTHBENCH anisotropy_repeats.csv nonlinearity_loads.csv" >&2; exit 2; }
top=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" import friction --mapping "$top/rigs/import/chen2013_repeats.yaml" "$2" --db "$work/lab.db"
"$1" import friction --mapping "$top/rigs/import/chen2013_loads.yaml" "$3" --db "$work/lab.db"
"$1" fit friction --db "$work/lab.db"
"$1" db text "$top/materials" --db "$work/lab.db"
rm -f "$top/materials.db"
"$1" db build "$top/materials" "$top/materials.db"
