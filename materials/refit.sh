#!/bin/sh
# materials/refit.sh CLOTHBENCH: fits every law of the reference database anew from the tables of this folder, rewrites
# friction.yaml and laws.yaml, and builds materials.db from the text. To be run when a fit or a table changes; tests/lab/test_materials.c
# tells.
set -eu
[ $# = 1 ] || { echo "usage: materials/refit.sh CLOTHBENCH" >&2; exit 2; }
top=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/top/materials" "$work/top/rigs"
cp -r "$top/materials/materials.yaml" "$top/materials/imports.yaml" "$top/materials/tables" "$work/top/materials"
cp -r "$top/rigs/import" "$work/top/rigs"
"$1" db build "$work/top/materials" "$work/points.db"
"$1" db merge "$work/points.db" --db "$work/lab.db" >/dev/null
"$1" fit friction --db "$work/lab.db"
"$1" fit permeability --db "$work/lab.db" >/dev/null
for cloth in "Acrylic stockinette" "Acrylic garter" "Acrylic rib" "Acrylic seed" "Laminated nylon"; do
  "$1" fit stretch --cloth "$cloth" --db "$work/lab.db" >/dev/null
done
# A slack knit has no sharp toe.
"$1" fit stretch --cloth "Cotton knit (U3M example)" --pretension-N-per-m 1 --db "$work/lab.db" >/dev/null
"$1" fit bending --cloth "Cotton knit (U3M example)" --db "$work/lab.db" >/dev/null
# Elasticity is published as a law, not as a test.
book="J.-F. Allard, N. Atalla, Propagation of Sound in Porous Media, Wiley, 2009"
"$1" import elasticity "Foam, 33 kg/m3 (Allard, Atalla)" --density-kg-per-m3 33 --young-kPa 130 --poisson 0.3 \
  --source "$book, table 11.3" --method "as published" --db "$work/lab.db"
"$1" import elasticity "Foam, 11 kg/m3 (Allard, Atalla)" --density-kg-per-m3 11.2 --young-kPa 293 --poisson 0.2 \
  --source "$book, table 11.9" --method "as published" --db "$work/lab.db"
"$1" db text "$top/materials" --db "$work/lab.db"
rm -f "$top/materials.db"
"$1" db build "$top/materials" "$top/materials.db"
