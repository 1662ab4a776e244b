/* The table of simulated drapes that `fit drape` reads, to standard output:
 *   ./run bench drape_table > materials/drape_table.csv        some 15 minutes of one processor
 *   (OMP_NUM_THREADS=1) ./run bench drape_table FROM TO                            other rows, without the
 *   header
 * Cloths fill the ranges evenly (Halton's sequence: more rows only add); each is laid once. A row of 30 cm,
 * after every second one of 24 and of 36 cm. What does not come to rest is left out, and told. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "val_drape_cloth_impl.h"
#include "val_drape_impl.h"

#define ROWS 128 /* of 30 cm */

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

static int row(int i, int s) {
  val_drape_cloth c = {between(0.006, 0.06, halton(i, 2)), between(1, 8, halton(i, 3)),
                       between(3, 300, halton(i, 5))};
  val_drape e = val_drape_of_cloth(&c);
  val_drape_result r;
  cb_err err;
  e.vertices = 2500;
  e.size.specimen_m = specimen_m[s];
  e.seed = 100000u * (unsigned)(s + 1) + (unsigned)i;
  if (val_drape_run(&e, &r, &err) != CB_OK)
    return fprintf(stderr, "drape_table: row %d: %s\n", i, err.msg), 1;
  if (!r.settled)
    return fprintf(stderr, "drape_table: row %d: left out: not at rest (%g)\n", i, r.residual), 0;
  double sign[VAL_DRAPE_SIGNS];
  val_drape_signs(&r.drape, sign);
  printf("%g,%g,%d,%llu,%.5g,%.5g,%.5g,%.5f,%d,%.3f,%.5f\n", 100 * e.size.support_m, 100 * e.size.specimen_m,
         e.vertices, (unsigned long long)e.seed, 1e3 * c.bending_m, c.ratio, c.shear_m,
         sign[VAL_DRAPE_COEFFICIENT], r.drape.nodes, 1e3 * sign[VAL_DRAPE_AMPLITUDE],
         sign[VAL_DRAPE_ELONGATION]);
  fflush(stdout);
  return 0;
}

int main(int argc, char **argv) {
  int from = argc > 2 ? atoi(argv[1]) : 1, to = argc > 2 ? atoi(argv[2]) : ROWS, failed = 0;
  if (argc <= 2) {
    printf("support_cm,specimen_cm,vertices,seed,bending_length_mm,bending_ratio,shear_length_m");
    for (int k = 0; k < VAL_DRAPE_SIGNS; k++)
      printf(",%s", k == VAL_DRAPE_AMPLITUDE ? "amplitude_mm" : val_drape_sign_names[k]);
    printf("\n");
  }
  for (int i = from; i <= to; i++) failed |= row(i, 0) || (i % 2 == 0 && (row(i / 2, 1) || row(i / 2, 2)));
  return failed;
}
