/* The proof of a cloth in a program: experiments over levels and meshes, the numbers to type so that the
 * program behaves as measured, and what then remains. */
#ifndef CONF_PROOF_H
#define CONF_PROOF_H

#include "cb_date.h"
#include "cb_stop.h"
#include "conf_engine.h"
#include "exch_cloth.h"

/* Experiments that any cloth simulator can play (conf_case.h). */
typedef enum conf_kind {
  CONF_CANTILEVER, /* a strip 20 mm wide hangs from a clamp; level: w g L^3 / B; gives B */
  CONF_STRIP,      /* a square of 100 mm hangs in its plane; level: mean strain; gives E h [N/m] */
  CONF_SHEAR,      /* a sheet of 100 x 200 mm between two clamps; level: shear angle there; gives G h [N/m] */
  CONF_FALL,       /* a square of 100 mm falls, without air; gives the acceleration */
  CONF_SLOPE,      /* on a slope; level: tangent / coefficient; gives mu, or the creep of what should hold */
  /* These give no number of the cloth; docs/reference/experiments-motion.md. */
  CONF_DRIFT,   /* an uneven sheet falls, bent by `level` [rad] at the start; gives the acceleration */
  CONF_LAYERS,  /* a sheet on a held one, on a slope; level and what it gives: as CONF_SLOPE */
  CONF_CAPSTAN, /* a strip over a drum; level: long end / where it begins to slide; gives the same */
  CONF_PINCH,   /* a cloth hangs from two pads; level: weight / what friction can hold; gives the same */
  /* A cloth is pulled from under a small one; level: speed / sqrt(mu g 100 mm); gives how far the small one
   * is carried [m]. */
  CONF_TABLECLOTH,
  CONF_KINDS
} conf_kind;
#define CONF_KIND_LIST "cantilever, strip, shear, fall, slope, drift, layers, capstan, pinch or tablecloth"
extern const char *const conf_kind_names[]; /* "cantilever", "strip", ..., NULL */

/* What positions mean. */
typedef struct conf_finding {
  double wanted, found; /* the property (SI); slope that should hold: creep [m/s], wanted 0 */
  double drift_m_per_s; /* fastest vertex between the last two times */
  /* CONF_DRIFT: speed of the centre of mass aside; angular momentum over sum m r^2. Both are 0 in truth. */
  double sideways_m_per_s, turn_rad_per_s;
} conf_finding;
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
  bool plays[CONF_KINDS]; /* which experiments */
  bool calibrate;         /* plays twice: with the measured numbers, and with those of the passport */
  const char *keep;       /* folder for the folders of all cases; NULL: none */
  int jobs;               /* cases beside each other, >= 1 */
  const cb_stop *stop;
  void (*progress)(void *context, int done, int total); /* NULL: none */
  void *context;
} conf_request;

typedef struct conf_proof {
  char engine[80]; /* with version */
  char date[CB_DATE_SIZE];
  exch_cloth told;                   /* as the program can take it: one direction where it has no two */
  double lost_stretch, lost_bending; /* warp over what was told - 1; weft is as far to the other side */
  conf_row row[CONF_ROWS_MAX];
  int n_rows;
  exch_passport passport; /* n = 0: not calibrated */
} conf_proof;

/* Plays all experiments that the cloth has properties for.
 * Errors: CB_E_NOTFOUND if there are none, or those of conf_engine_play. */
CB_CHECKED cb_status conf_prove(conf_engine *engine, const conf_request *request, conf_proof *out,
                                cb_err *err);

/* Reads edges [mm] between commas, "10,5", in any order; NULL: 10, 5, 3.33. edge_m ascends.
 * Errors: CB_E_ARG. */
CB_CHECKED cb_status conf_meshes_read(const char *text, double edge_m[CONF_EDGES_MAX], int *n, cb_err *err);

/* Reads names between commas, "strip,fall"; NULL: those up to CONF_SLOPE, which a passport needs. Errors:
 * CB_E_ARG. */
CB_CHECKED cb_status conf_experiments_read(const char *text, bool plays[CONF_KINDS], cb_err *err);

/* Returns true if cantilevers and strips are within 2 % of what is wanted, with the passport, on every mesh.
 */
bool conf_proof_agrees(const conf_proof *p);

#endif
