/* Drapes that were simulated once and for all (materials/drape_table.csv, made by ./run bench drape_table),
 * and what they say of a cloth that is not among them.
 *
 * Every row is one laying of one cloth, and can be played again with `validate drape`. Between them each sign
 * is a polynomial (least squares, in Legendre's polynomials of the logarithms of the cloth's numbers), of the
 * degree that predicts best what is left out; so is the logarithm of the variance about it: what another
 * laying differs by. Signs are taken where their scatter is even (`val_drape_even`).
 */
#ifndef VAL_DRAPE_TABLE_H
#define VAL_DRAPE_TABLE_H

#include <stddef.h>

#include "val_drape_cloth.h"

typedef struct val_drape_row {
  double support_m, specimen_m; /* diameters */
  int vertices;
  double seed; /* a whole number */
  val_drape_cloth cloth;
  double sign[VAL_DRAPE_SIGNS];
} val_drape_row;

typedef struct val_drape_table {
  val_drape_row *row; /* owned */
  size_t n;
} val_drape_table;

CB_CHECKED cb_status val_drape_table_read(const char *path, val_drape_table *out, cb_err *err);
void val_drape_table_clear(val_drape_table *t);

/* ---- signs on scales where layings scatter evenly: logit of the coefficient, roots of amplitude and
 * elongation ---- */

double val_drape_uneven(val_drape_sign s, double even);
double val_drape_even_slope(val_drape_sign s, double value); /* d even / d value; of roots: not beyond that at
                                                                0.001 */

/* ---- between the rows ---- */

#define VAL_DRAPE_SPECIMENS_MAX 8
#define VAL_DRAPE_TERMS_MAX 40
#define VAL_DRAPE_SPREAD_TERMS 5
#define VAL_DRAPE_DEGREE_MAX 6

typedef struct val_drape_response {
  int degree, terms;
  double b[VAL_DRAPE_TERMS_MAX];
  double factor[VAL_DRAPE_TERMS_MAX][VAL_DRAPE_TERMS_MAX]; /* Cholesky's of the normal matrix: what b is in
                                                              doubt by */
  double spread[VAL_DRAPE_SPREAD_TERMS];                   /* ln of the variance between layings */
  double left_out_sd;    /* root mean square of what each row differs by from the others' prediction */
  double left_out_ratio; /* the same over what was expected of it: 1 */
} val_drape_response;

typedef struct val_drape_specimen {
  double support_m, specimen_m;
  size_t rows;
  val_drape_response response[VAL_DRAPE_SIGNS];
  double correlation[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS]; /* between the signs of one laying */
} val_drape_specimen;

typedef struct val_drape_model {
  val_drape_cloth low, high; /* what the table spans; ratio from 1 */
  int n;
  val_drape_specimen specimen[VAL_DRAPE_SPECIMENS_MAX];
} val_drape_model;

/* CB_E_RANGE: too few rows of a specimen, or rows that do not differ. */
CB_CHECKED cb_status val_drape_model_make(const val_drape_table *t, const char *name, val_drape_model *out,
                                          cb_err *err);

/* On the even scales. */
typedef struct val_drape_expected {
  double mean[VAL_DRAPE_SIGNS];
  double sd[VAL_DRAPE_SIGNS];    /* between layings */
  double doubt[VAL_DRAPE_SIGNS]; /* standard uncertainty of the mean, as the table has only so many rows */
} val_drape_expected;

#endif
