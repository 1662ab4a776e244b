/* The table of simulated drapes (materials/drape_table.csv, made by a sweep, scenes/sweeps/drape_table.yaml),
 * and a model that predicts the drape of any cloth from it.
 *
 * Every row is one laying of one cloth; `validate drape-laying` can repeat it. Between the rows, each sign is
 * a polynomial: least squares, in Legendre polynomials of the logarithms of the cloth's numbers (only linear
 * in that of the softening). A table without stretch has one stretch for all, VAL_DRAPE_STRETCH_M. Its degree
 * is the one that best predicts rows left out. The logarithm of the variance between layings is such a
 * polynomial, too. Signs are on even scales, on which their scatter is even: logit of the coefficient, square
 * roots of amplitude and elongation. */
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

/* Reads a table. Clear *out in any case. Errors: those of the file, with name:line; memory. */
CB_CHECKED cb_status val_drape_table_read(const char *path, val_drape_table *out, cb_err *err);
void val_drape_table_clear(val_drape_table *t);

/* ---- even scales ---- */

/* Returns d even / d value. That of a square root is limited to its slope at 0.001. */
double val_drape_even_slope(val_drape_sign s, double value);

/* ---- the model ---- */

#define VAL_DRAPE_SPECIMENS_MAX 8
#define VAL_DRAPE_TERMS_MAX 70
#define VAL_DRAPE_SPREAD_TERMS 6
#define VAL_DRAPE_DEGREE_MAX 6

/* The polynomial of one sign. */
typedef struct val_drape_response {
  int degree, terms;
  double b[VAL_DRAPE_TERMS_MAX];
  double factor[VAL_DRAPE_TERMS_MAX][VAL_DRAPE_TERMS_MAX]; /* Cholesky factor of the normal matrix, for the
                                                              uncertainty of b */
  double spread[VAL_DRAPE_SPREAD_TERMS];                   /* of ln of the variance between layings */
  /* Rms difference of a row from the prediction by the others: on the even scale, over its expected value. */
  double left_out_rms, left_out_ratio;
} val_drape_response;

typedef struct val_drape_specimen {
  double support_m, specimen_m;
  size_t rows;
  val_drape_response response[VAL_DRAPE_SIGNS];
  double correlation[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS]; /* of the signs of one laying */
} val_drape_specimen;

typedef struct val_drape_model {
  val_drape_cloth low, high; /* range of the table; ratio from 1 */
  bool softens, stretches;   /* the rows differ in softening, in stretch */
  int n;
  val_drape_specimen specimen[VAL_DRAPE_SPECIMENS_MAX];
} val_drape_model;

/* Fits the model to a table. name stands in error messages. Errors: CB_E_RANGE for too few rows of a
 * specimen, or rows that do not differ; memory. */
CB_CHECKED cb_status val_drape_model_make(const val_drape_table *t, const char *name, val_drape_model *out,
                                          cb_err *err);

/* The signs that a cloth is expected to have, on the even scales. */
typedef struct val_drape_expected {
  double mean[VAL_DRAPE_SIGNS];
  double sd[VAL_DRAPE_SIGNS];    /* between layings */
  double doubt[VAL_DRAPE_SIGNS]; /* standard uncertainty of the mean, from the finite table */
} val_drape_expected;

#endif
