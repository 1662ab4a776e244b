/* The table of simulated drapes that `fit drape` reads, to standard output:
 *   ./run bench drape_table > materials/drape_table.csv        about an hour of one processor
 *   (OMP_NUM_THREADS=1) ./run bench drape_table FROM TO                            other rows, without the
 *   header
 * Cloths fill the ranges evenly (Halton's sequence: more rows only add); each is laid once, with friction as
 * its seed draws it. A row of 30 cm, after every second one of 24 and of 36 cm. What does not come to rest is
 * left out, and told. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "val_drape_cloth_impl.h"
#include "val_drape_impl.h"

#define ROWS 128 /* of 30 cm, 6 to 60 mm of bending length */
#define LIMP 24  /* likewise, after these: 4 to 6 mm */

static const double specimen_m[] = {0.30, 0.24, 0.36};

static double halton(int i, int base) {
  double part = 1, x = 0;
  for (; i > 0; i /= base) {
    part /= base;
    x += part * (i % base);
  }
  return x;
}

static double between(double low, double high, double x) { return low * pow(high / low, x); }

static val_drape_cloth cloth_of(int i) {
  const double length_m =
      i <= ROWS ? between(0.006, 0.06, halton(i, 2)) : between(0.004, 0.006, halton(i - ROWS, 2));
  return (val_drape_cloth){length_m, between(1, 8, halton(i, 3)), between(3, 300, halton(i, 5)), 0};
}

static int row(int i, int s) {
  const val_drape_cloth c = cloth_of(i);
  val_drape_many e = val_drape_of_cloth(&c, 0.15);
  val_drape_statistics all;
  cb_err err;
  e.one.size.specimen_m = specimen_m[s];
  e.one.seed = 100000u * (unsigned)(s + 1) + (unsigned)i;
  if (val_drape_many_run(&e, &all, &err) != CB_OK)
    return fprintf(stderr, "drape_table: row %d: %s\n", i, err.msg), 1;
  const val_drape_result r = all.each[0];
  const val_drape drawn = val_drape_drawn(&e, 0);
  const double softening = val_drape_softening(&drawn.material, c.bending_m);
  double sign[VAL_DRAPE_SIGNS];
  val_drape_signs_of(&all, 0, sign);
  val_drape_statistics_clear(&all);
  if (!r.settled)
    return fprintf(stderr, "drape_table: row %d: left out: not at rest (%g)\n", i, r.residual), 0;
  printf("%g,%g,%d,%llu,%.5g,%.5g,%.5g,%.5g,%.5f,%d,%.3f,%.5f\n", 100 * e.one.size.support_m,
         100 * e.one.size.specimen_m, e.one.vertices, (unsigned long long)e.one.seed, 1e3 * c.bending_m,
         c.ratio, c.shear_m, softening, sign[VAL_DRAPE_COEFFICIENT], r.drape.nodes,
         1e3 * sign[VAL_DRAPE_AMPLITUDE], sign[VAL_DRAPE_ELONGATION]);
  fflush(stdout);
  return 0;
}

int main(int argc, char **argv) {
  int from = argc > 2 ? atoi(argv[1]) : 1, to = argc > 2 ? atoi(argv[2]) : ROWS + LIMP, failed = 0;
  if (argc <= 2) {
    printf("support_cm,specimen_cm,vertices,seed,bending_length_mm,bending_ratio,shear_length_m,softening");
    for (int k = 0; k < VAL_DRAPE_SIGNS; k++)
      printf(",%s", k == VAL_DRAPE_AMPLITUDE ? "amplitude_mm" : val_drape_sign_names[k]);
    printf("\n");
  }
  for (int i = from; i <= to; i++) {
    const int half = i <= ROWS ? i / 2 : ROWS + (i - ROWS) / 2;
    failed |= row(i, 0) || (i % 2 == 0 && (row(half, 1) || row(half, 2)));
  }
  return failed;
}
