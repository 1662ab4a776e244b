/* The drape meter: a disc of 30 cm over a support of 18 cm, seen in the light from below.
 *
 * The ring that hangs is vlab_shell's: the truth on a grid of finite differences, which shares nothing with
 * the simulator of the predictions. Each drape is another specimen in another laying. */
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_num.h"
#include "vlab_picture.h"
#include "vlab_shell.h"

#define SUPPORT_M 0.18
#define SPECIMEN_M 0.30
#define COLUMNS 10 /* for one row */
#define ROWS_LEAST 8
#define STEP_S 0.01
#define FALL_S 1.2
#define DRAG_PER_S 5
#define BUMPS 24      /* of the uneven start */
#define BUMP_M 0.0005 /* height of each at the border, standard deviation */
#define BUMP_SHARP 3.0
#define RESIDUAL_MOST 1e-3 /* between 4e-3 and 1e-4 the coefficient keeps four digits */
#define RESTS_MOST 4       /* a slow fold may want more than one */
#define CROSS_SHARE 0.2    /* of sqrt(B_warp B_weft): couples bending along warp and weft */

/* ---- the specimen ---- */

static vlab_shell_cloth draw_cloth(const vlab *lab, cb_rng *rng) {
  const vlab_truth *t = &lab->truth;
  const vlab_bending *b = &t->bending;
  const double mass = vlab_specimen(rng, lab->scatter.mass), stiff = vlab_specimen(rng, lab->scatter.bending),
               stretch = vlab_specimen(rng, lab->scatter.stretch);
  const double D12 = CROSS_SHARE * sqrt(b->warp_Nm * b->weft_Nm), D33 = (b->twist_Nm - D12) / 2;
  vlab_shell_cloth c = {.areal_density_kg_per_m2 = mass * t->areal_density_kg_per_m2,
                        .drag_per_s = DRAG_PER_S,
                        .membrane = t->membrane,
                        .D_Nm = {stiff * b->warp_Nm, stiff * b->weft_Nm, stiff * D12, stiff * D33},
                        .friction_N = {stiff * b->friction_N[0], stiff * b->friction_N[1]},
                        .onset_per_m = b->onset_per_m};
  c.membrane.warp_N_per_m *= stretch, c.membrane.weft_N_per_m *= stretch;
  c.membrane.shear_N_per_m *= stretch, c.membrane.cross_N_per_m *= stretch;
  return c;
}

/* ---- the drape ---- */

typedef struct drape {
  vlab_grid grid;
  vlab_shell *shell;
  double (*side)[3]; /* both faces */
  int (*triangle)[3];
} drape;

static void drape_clear(drape *d) {
  vlab_shell_free(d->shell);
  free(d->grid.flat_m), free(d->side), free(d->triangle);
}

/* Rows are circles, the outer one is the border; the support ends midway between the first two. */
static cb_status make_grid(int nodes, double turn_rad, vlab_grid *g, cb_err *err) {
  const double s = SUPPORT_M / 2, r = SPECIMEN_M / 2;
  g->rows = (int)fmax(round(sqrt((double)nodes / COLUMNS)), ROWS_LEAST);
  g->columns = COLUMNS * g->rows;
  g->ring = true;
  g->flat_m = calloc((size_t)g->rows * (size_t)g->columns, sizeof *g->flat_m);
  if (!g->flat_m) return cb_no_memory(err, "a drape of %d vertices", nodes);
  for (int i = 0; i < g->rows * g->columns; i++) {
    const double angle = turn_rad + 2 * CB_PI * (i % g->columns) / g->columns,
                 radius = s + (r - s) * (i / g->columns - 0.5) / (g->rows - 1.5);
    g->flat_m[i][0] = radius * cos(angle), g->flat_m[i][1] = radius * sin(angle);
  }
  return CB_OK;
}

/* Bumps at random places around the free ring, each a few centimetres wide. */
static void lay_unevenly(drape *d, cb_rng *rng) {
  double(*x)[3] = vlab_shell_position(d->shell);
  for (int k = 0; k < BUMPS; k++) {
    const double at = 2 * CB_PI * cb_rng_uniform(rng), height = BUMP_M * cb_rng_normal(rng),
                 sharp = BUMP_SHARP * (1 + 4 * cb_rng_uniform(rng));
    for (int i = 2 * d->grid.columns; i < d->grid.rows * d->grid.columns; i++) {
      const double out = (hypot(x[i][0], x[i][1]) - SUPPORT_M / 2) / ((SPECIMEN_M - SUPPORT_M) / 2);
      x[i][2] += out * out * height * exp(sharp * (cos(atan2(x[i][1], x[i][0]) - at) - 1));
    }
  }
}

static cb_status lay_drape(const vlab *lab, cb_rng *rng, drape *d, cb_err *err) {
  const vlab_shell_cloth cloth = draw_cloth(lab, rng);
  CB_TRY(make_grid(lab->have.drape_vertices, 2 * CB_PI * cb_rng_uniform(rng), &d->grid, err));
  CB_TRY(vlab_shell_new(&d->grid, &cloth, &d->shell, err));
  lay_unevenly(d, rng);
  return CB_OK;
}

static cb_status hang_drape(drape *d, cb_err *err) {
  double residual;
  for (int i = 0; i * STEP_S < FALL_S; i++) CB_TRY(vlab_shell_step(d->shell, STEP_S, err));
  for (int i = 0; i < RESTS_MOST; i++) {
    CB_TRY(vlab_shell_rest(d->shell, &residual, err));
    if (residual <= RESIDUAL_MOST) return CB_OK;
  }
  return cb_fail(err, CB_E_NUM, "a drape did not come to rest: residual %g, %g was wanted", residual,
                 RESIDUAL_MOST);
}

/* ---- its shadow ---- */

/* Beyond the support, the area up to each radius is that of the cloth times factor. */
static void widen(double x[3], double factor) {
  const double r = hypot(x[0], x[1]), s = SUPPORT_M / 2;
  if (r <= s) return;
  const double wide = sqrt(s * s + factor * (r * r - s * s)) / r;
  x[0] *= wide, x[1] *= wide;
}

/* The normal [m2] at a node, of the lines to its neighbours. */
static void find_normal(const drape *d, int i, double out[3]) {
  const double(*x)[3] = (const double(*)[3])vlab_shell_position(d->shell);
  const int columns = d->grid.columns, n = d->grid.rows * columns, j = i % columns;
  const double *in = x[i < columns ? i : i - columns], *off = x[i + columns < n ? i + columns : i],
               *left = x[i - j + (j + columns - 1) % columns], *right = x[i - j + (j + 1) % columns];
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    out[a] = (off[b] - in[b]) * (right[c] - left[c]) - (off[c] - in[c]) * (right[b] - left[b]);
  }
}

/* Both faces, half the thickness off the middle; two triangles for each of their cells. */
static cb_status put_faces(drape *d, double thickness_m, cb_err *err) {
  const double(*x)[3] = (const double(*)[3])vlab_shell_position(d->shell);
  const int columns = d->grid.columns, n = d->grid.rows * columns;
  int t = 0;
  d->side = calloc((size_t)n * 2, sizeof *d->side);
  d->triangle = calloc((size_t)n * 4, sizeof *d->triangle);
  if (!d->side || !d->triangle) return cb_no_memory(err, "a drape of %d vertices", n);
  for (int i = 0; i < n; i++) {
    double normal[3];
    find_normal(d, i, normal);
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++) {
      const double off = length > 0 ? thickness_m / 2 * normal[k] / length : 0;
      d->side[i][k] = x[i][k] + off, d->side[n + i][k] = x[i][k] - off;
    }
  }
  for (int face = 0; face < 2; face++)
    for (int i = face * n; i < face * n + n - columns; i++) {
      const int next = i - i % columns + (i + 1) % columns;
      const int two[2][3] = {{i, next, i + columns}, {next, next + columns, i + columns}};
      for (int k = 0; k < 6; k++) d->triangle[t + k / 3][k % 3] = two[k / 3][k % 3];
      t += 2;
    }
  return CB_OK;
}

static cb_status photograph(const vlab *lab, drape *d, cb_rng *rng, const char *path, cb_err *err) {
  const int n = d->grid.rows * d->grid.columns;
  CB_TRY(put_faces(d, lab->truth.thickness_m, err));
  for (int i = 0; i < 2 * n; i++) widen(d->side[i], lab->drape_area_factor);
  const vlab_shadow s = {(const double(*)[3])d->side, 2 * n, (const int(*)[3])d->triangle,
                         4 * (n - d->grid.columns), SUPPORT_M};
  return vlab_picture(&s, rng, path, err);
}

static cb_status make_drape(const vlab *lab, int number, const char *folder, cb_err *err) {
  char path[600];
  cb_rng rng;
  drape d = {.shell = NULL};
  cb_status st;
  cb_rng_init(&rng, lab->seed, VLAB_STREAM_DRAPES + 1000 * (uint64_t)number);
  omp_set_max_active_levels(0); /* CHOLMOD would begin four threads, anew in each factor */
  (void)snprintf(path, sizeof path, "%s/drape-%d.png", folder, number);
  CB_GOTO(lay_drape(lab, &rng, &d, err));
  CB_GOTO(hang_drape(&d, err));
  CB_GOTO(photograph(lab, &d, &rng, path, err));
done:
  drape_clear(&d);
  return st;
}

static cb_status hang_drapes(const vlab *lab, const char *folder, const cb_stop *stop, cb_err *err) {
  cb_status st = CB_OK;
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 1; i <= lab->have.drapes; i++) {
    cb_err own = {""};
    cb_status got = cb_stop_check(stop, &own);
    if (got == CB_OK) got = make_drape(lab, i, folder, &own);
#pragma omp critical
    if (got != CB_OK && st == CB_OK) st = got, *err = own;
  }
  return st;
}

/* ---- beside other work ---- */

pid_t vlab_drapes_begin(const vlab *lab, const char *folder) {
  cb_err err = {""};
  const pid_t parent = getpid(), pid = fork();
  if (pid != 0) return pid;
  (void)signal(SIGINT, SIG_IGN); /* the parent is asked, and ends this one */
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void)!nice(5);                    /* a third of what the parent may have */
  if (getppid() != parent) _exit(1); /* it ended before prctl */
  _exit(hang_drapes(lab, folder, NULL, &err) == CB_OK ? 0 : 1);
}

cb_status vlab_drapes_end(pid_t pid, const vlab *lab, const char *folder, const cb_stop *stop, cb_err *err) {
  int status = 1;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) CB_TRY(cb_stop_check(stop, err));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CB_OK : hang_drapes(lab, folder, stop, err);
}
