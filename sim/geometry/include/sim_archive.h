/* The state of a model as bytes. One function per model lists what the next step reads, and serves both
 * directions: what it lists is saved, and loaded in the same order. Numbers are little-endian.
 *
 * Reading writes into the state at once. The first thing that is wrong - bytes that end too soon, a number
 * that the state cannot hold - is remembered in `wrong`; from then on nothing is changed. Whoever started the
 * reading looks at `wrong` and puts back what was there. */
#ifndef SIM_ARCHIVE_H
#define SIM_ARCHIVE_H

#include "sim_bytes.h"

typedef struct sim_archive {
  sim_bytes *out;          /* NULL: reading */
  const unsigned char *at; /* what is still to be read ... */
  size_t left;             /* ... and how long it is */
  const char *wrong;       /* NULL: nothing so far */
} sim_archive;

/* `out` is the caller's, begun as {0}; whether memory was short stands there. */
sim_archive sim_archive_writer(sim_bytes *out);
sim_archive sim_archive_reader(const unsigned char *data, size_t n);
bool sim_archive_reads(const sim_archive *a);
/* Reading, and nothing was wrong yet. */
bool sim_archive_good(const sim_archive *a);
void sim_archive_fail(sim_archive *a, const char *wrong);

/* n numbers of finite value, none larger than `most` either way. */
void sim_archive_f64(sim_archive *a, double *value, size_t n, double most);
void sim_archive_f32(sim_archive *a, float *value, size_t n, float most);
/* n whole numbers from `low` to `high`. */
void sim_archive_int(sim_archive *a, int *value, size_t n, int low, int high);
void sim_archive_long(sim_archive *a, long *value, size_t n);
void sim_archive_bool(sim_archive *a, bool *value, size_t n);

/* Vertices, triangles and their places in the cloth. Reading builds the mesh anew into *mesh, which holds
 * nothing before; a mesh that there cannot be is `wrong`. Caller: sim_mesh_clear, also after an error.
 * CB_E_NOMEM alone. */
struct sim_mesh;
CB_CHECKED cb_status sim_mesh_archive(struct sim_mesh *mesh, sim_archive *a, cb_err *err);

/* No place, velocity or force of a scene is larger. */
#define SIM_ARCHIVE_FAR 1e9

#endif
