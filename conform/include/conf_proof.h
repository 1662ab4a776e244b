/* The proof of a cloth in a program: experiments over levels and meshes, the numbers to type so that the
 * program behaves as measured, and what then remains. */
#ifndef CONF_PROOF_H
#define CONF_PROOF_H

#include "conf_engine.h"

#define CONF_EDGES_MAX EXCH_PASSPORT_MAX
#define CONF_ROWS_MAX 300

typedef struct conf_row {
  conf_kind kind;
  double level, edge_m; /* of the mesh as made */
  int mesh;             /* which of the edges that were wanted */
  bool calibrated;      /* with the factors of the passport */
  conf_finding finding;
  double seconds;
} conf_row;

typedef struct conf_request {
  const exch_cloth *cloth;
  const double *edge_m; /* ascending */
  int n_edges;
  const char *experiments; /* names of those to play, in one text; NULL: all */
  bool calibrate;          /* plays twice: with the measured numbers, and with those of the passport */
  const char *keep;        /* folder for the folders of all cases; NULL: none */
  int jobs;                /* cases beside each other, >= 1 */
  const cb_stop *stop;
  void (*progress)(void *context, int done, int total); /* NULL: none */
  void *context;
} conf_request;

typedef struct conf_proof {
  char engine[80]; /* with version */
  char date[16];
  exch_cloth told; /* as the program can take it: one direction where it has no two */
  /* Programs with hinges between cells clamp half an edge within the pinned cells: a hinge stands for half a
   * cell on either side. Set if B is then the same over all loads, more than without. */
  bool clamp_inside;
  double lost_stretch, lost_bending; /* warp over what was told - 1; weft is as far to the other side */
  conf_row row[CONF_ROWS_MAX];
  int n_rows;
  exch_passport passport; /* n = 0: not calibrated */
} conf_proof;

/* Plays all experiments that the cloth has properties for.
 * Errors: CB_E_NOTFOUND if there are none, or those of conf_engine_play. */
CB_CHECKED cb_status conf_prove(conf_engine *engine, const conf_request *request, conf_proof *out,
                                cb_err *err);

/* Largest |found / wanted - 1| over the rows of an experiment on a mesh; NAN: there is none. */
double conf_proof_off(const conf_proof *p, conf_kind kind, int mesh, bool calibrated);

#endif
