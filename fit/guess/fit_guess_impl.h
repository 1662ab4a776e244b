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
  bool round_angles;       /* of a numeric one: all are multiples of 15, 22.5 or 10 */
  bool sides;              /* cells name different directions: "Kette 1", "Schuss 1" */
  char leave_out[40]; /* the cell that marks a row to be left out: "Y" in a column "Omit"; "": no such column
                       */
  char words[200]; /* of a column of words for directions: "Kette": 0, "Schuss": 90, "schief": "?"; else "" */
} guess_column;

/* A line above the table that says something: "Width;50;mm". */
typedef struct guess_title {
  char name[GUESS_NAME], unit[40], value[GUESS_NAME];
  bool numeric, of_column; /* it stands in the name of a column: "Air permeability at 100 Pa" */
} guess_title;

typedef struct guess_shape {
  char separator;
  bool decimal_comma;
  char sheet[64];       /* of a workbook; "": it is none */
  const char *encoding; /* one of fit_text_encodings */
  bool named;           /* columns go by their header; else by number */
  int skip_lines;       /* above the header, or above the data if not `named` */
  int last_line;        /* of the table; 0: the file's */
  int rows;
  int n_columns, n_titles;
  guess_column column[GUESS_COLUMNS];
  guess_title title[GUESS_TITLES];
} guess_shape;

/* Finds encoding, separator, decimal comma, header, units, data and their end. Errors: CB_E_PARSE,
 * CB_E_NOMEM. */
CB_CHECKED cb_status guess_find_shape(const char *text, size_t n, const char *name, const char *sheet,
                                      guess_shape *out, cb_err *err);

/* ---- the words ---- */

/* Lower case, umlauts spelled out, everything but letters and digits as one blank. out has GUESS_NAME bytes.
 */
void guess_plain(const char *text, char *out);
/* A copy with the brackets and marks of Chinese type in ASCII. */
void guess_ascii_marks(const char *text, char *out, size_t size);
/* Splits "Force (N)", "Kraft [cN]", "F/N", "dp_Pa", "strain, %", "Dehnung in %" into a name and a unit. */
void guess_split_unit(const char *cell, char name[GUESS_NAME], char unit[40]);
/* The direction that a word stands for [deg]; NULL: none. */
const char *guess_direction(const char *text);
/* The direction of the first word of a plain text that stands for one [deg]; NULL: none. */
const char *guess_side(const char *plain);

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
  bool sure;        /* its words stand in no other kind: a loose group may then be missing altogether */
} guess_field;

typedef struct guess_kind {
  const char *name;
  const char *groups; /* letters; each must be met by a column ... */
  const char *wants;  /* what each of them is, '|' between */
  const char *loose;  /* ... but these by a title, or be filled in where a field is `sure` */
  const guess_field *fields;
  size_t n;
  bool exclusive; /* fields of a group say the same: one of them alone is read */
} guess_kind;

#define GUESS_FIELDS 40
#define GUESS_NOTHING (-1)
#define GUESS_TITLE 1000 /* from here on: titles */
typedef struct guess_match {
  const guess_kind *kind;
  int from[GUESS_FIELDS]; /* a column; GUESS_TITLE + a title; or GUESS_NOTHING */
  int score;
  const char *other; /* a kind whose columns are there, too, but fewer of them; NULL: none */
} guess_match;

/* Whether the field is the direction in the cloth, and not an angle of the instrument. */
bool guess_is_direction(const guess_field *f);

/* Finds the kind whose fields are met best. kind NULL: any. Errors: CB_E_NOTFOUND if the columns make none;
 * CB_E_RANGE if they make two equally well, or have directions side by side. */
CB_CHECKED cb_status guess_find_kind(const guess_shape *s, const char *name, const char *kind,
                                     guess_match *out, cb_err *err);

/* ---- the text ---- */

/* Writes the mapping and the trial. Error: CB_E_NOMEM. */
CB_CHECKED cb_status guess_write(const guess_shape *s, const guess_match *m, const char *name, fit_guess *out,
                                 cb_err *err);

#endif
