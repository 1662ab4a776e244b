/* The parts of a guess, private to fit/guess/: the shape of the file, its words, the kind, the text. */
#ifndef FIT_GUESS_IMPL_H
#define FIT_GUESS_IMPL_H

#include <stdbool.h>

#include "cb_num.h"
#include "fit_guess.h"

#define GUESS_COLUMNS 64
#define GUESS_TITLES 32
#define GUESS_NAME 96

/* ---- the shape ---- */

typedef struct guess_column {
  char name[GUESS_NAME];   /* as the table has it, without its unit; of two header rows: both */
  char unit[40];           /* as the table has it; "": none */
  char header[GUESS_NAME]; /* the cell of the header that names the column */
  bool numeric;            /* all cells that are not empty are numbers, and there is one */
  double least, most;      /* of a numeric one */
  char example[40];        /* the first cell that is not empty */
  int odd_line;            /* of the first cell that is no number among numbers; 0: none */
  char odd[40];            /* that cell */
  char bare[GUESS_NAME];   /* the name without that of its group */
  char words[200];         /* of a column of words for directions: "Kette": 0, "Schuss": 90; else "" */
} guess_column;

/* A line above the table that says something: "Width;50;mm". */
typedef struct guess_title {
  char name[GUESS_NAME], unit[40], value[GUESS_NAME];
  bool numeric;
} guess_title;

typedef struct guess_shape {
  char separator;
  bool decimal_comma, latin1;
  bool named;     /* columns go by their header; else by number */
  int skip_lines; /* above the header, or above the data if not `named` */
  int last_line;  /* of the table; 0: the file's */
  int rows;
  int n_columns, n_titles;
  guess_column column[GUESS_COLUMNS];
  guess_title title[GUESS_TITLES];
} guess_shape;

/* Finds encoding, separator, decimal comma, header, units, data and their end. Errors: CB_E_PARSE,
 * CB_E_NOMEM. */
CB_CHECKED cb_status guess_find_shape(const char *text, size_t n, const char *name, guess_shape *out,
                                      cb_err *err);

/* ---- the words ---- */

/* Lower case, umlauts spelled out, everything but letters and digits as one blank. out has GUESS_NAME bytes.
 */
void guess_plain(const char *text, char *out);
/* Splits "Force (N)", "Kraft [cN]", "F/N", "dp_Pa", "strain, %", "Dehnung in %" into a name and a unit. */
void guess_split_unit(const char *cell, char name[GUESS_NAME], char unit[40]);
/* The unit as a mapping has it, with a factor where there is no such unit: "cN" is "0.01 N". NULL: none
 * known. *dim: its dimension. */
const char *guess_unit(const char *text, cb_dim *dim);
/* The direction that a word stands for [deg]; NULL: none. */
const char *guess_direction(const char *text);
/* Whether the cell is nothing but a unit. */
bool guess_is_unit(const char *cell);

/* ---- the kind ---- */

/* A field of a kind of import. */
typedef struct guess_field {
  const char *name;
  cb_dim dim;
  const char *words; /* phrases as guess_plain makes them, '|' between */
  char group;        /* each group of a kind must be met by one of its fields; 0: none */
  const char *unit;  /* of a column or fill-in that says none; NULL: it must be filled in */
  const char *fill;  /* what a person fills in where the table says nothing; NULL: it may be missing */
  const char *trial; /* stands for the fill-in in the trial */
  const char *with; /* fields without one of which the fill-in is not needed, '|' between; NULL: always needed
                     */
} guess_field;

typedef struct guess_kind {
  const char *name;
  const char *groups; /* letters */
  const guess_field *fields;
  size_t n;
} guess_kind;

#define GUESS_FIELDS 40
#define GUESS_NOTHING (-1)
#define GUESS_TITLE 1000 /* from here on: titles */
typedef struct guess_match {
  const guess_kind *kind;
  int from[GUESS_FIELDS]; /* a column; GUESS_TITLE + a title; or GUESS_NOTHING */
  int score;
} guess_match;

/* Finds the kind whose fields are met best. kind NULL: any. Errors: CB_E_NOTFOUND if the columns make none;
 * CB_E_RANGE if they make two equally well. */
CB_CHECKED cb_status guess_find_kind(const guess_shape *s, const char *name, const char *kind,
                                     guess_match *out, cb_err *err);

/* ---- the text ---- */

/* Writes the mapping and the trial. Error: CB_E_NOMEM. */
CB_CHECKED cb_status guess_write(const guess_shape *s, const guess_match *m, const char *name, fit_guess *out,
                                 cb_err *err);

#endif
