/* bench_self: what it costs a cloth to watch itself. A square of 1 m x 1 m hangs in folds over a round table
 * of 0.5 m, analytic, each step at another place (up to 0.5 m/s, 5 ms); hardly anything collides, as in a
 * drape. Median of 51 steps, milliseconds: refit      boxes of the trees, and which pieces are flat walk
 * pairs of triangles whose boxes overlap contacts   everything that a step needs before the solve: refit at
 * the start, walk, near pairs resolve    everything after it: refit over the way, walk, continuous detection,
 * response both contacts and resolve Threads: OMP_NUM_THREADS. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "cb_time.h"
#include "sim_mesh.h"
#include "sim_self.h"

#define STEPS 51
#define TABLE_M 0.25
#define FOLDS 8

/* Beyond the table's edge the cloth falls off steeply, in folds that deepen as they fall and sway with the
 * phase. */
static void drape(const sim_mesh *mesh, double phase, double (*x)[3]) {
  for (int v = 0; v < mesh->n_vertices; v++) {
    double px = mesh->position_m[v][0] - 0.5, py = mesh->position_m[v][1] - 0.5, r = hypot(px, py),
           angle = atan2(py, px);
    double over = fmax(0, r - TABLE_M), drop = over * over / (over + 0.02);
    double out = r - 0.75 * drop + 0.3 * drop * cos(FOLDS * angle + phase);
    x[v][0] = out * cos(angle + 0.1 * drop * sin(phase));
    x[v][1] = out * sin(angle + 0.1 * drop * sin(phase));
    x[v][2] = -0.9 * drop;
  }
}

static void count_pair(void *context, int a, int b) {
  (void)a;
  (void)b;
  (*(long *)context)++;
}

static double median(const double *ms) {
  double work[STEPS];
  return cb_median(ms, STEPS, work);
}

typedef struct timing {
  double refit[STEPS], walk[STEPS], contacts[STEPS], resolve[STEPS], step[STEPS];
  long pairs;
  int contacts_found, impacts;
} timing;

static cb_status one_step(sim_self *self, sim_self *fresh, sim_bvh *tree, double (*x)[3], double (*y)[3],
                          int i, timing *t, cb_err *err) {
  const double(*start)[3] = (const sim_vec3 *)x;
  const sim_self_contact *list;
  sim_self_report report;
  long pairs = 0;
  double begin = 1e3 * cb_now_monotonic_s();
  sim_bvh_refit(tree, start, (const sim_vec3 *)y, 1e-5, NULL);
  t->refit[i] = 1e3 * cb_now_monotonic_s() - begin;
  begin = 1e3 * cb_now_monotonic_s();
  for (int k = 0; k < tree->n_tasks; k++) sim_bvh_walk(tree, k, count_pair, &pairs);
  t->walk[i] = 1e3 * cb_now_monotonic_s() - begin;
  begin = 1e3 * cb_now_monotonic_s();
  CB_TRY(sim_self_contacts(fresh, start, 5e-4, &list, &t->contacts_found, err));
  t->contacts[i] = 1e3 * cb_now_monotonic_s() - begin;
  begin = 1e3 * cb_now_monotonic_s();
  CB_TRY(sim_self_contacts(self, start, 5e-4, &list, &t->contacts_found, err));
  double middle = 1e3 * cb_now_monotonic_s();
  CB_TRY(sim_self_resolve(self, start, y, &report, err));
  t->resolve[i] = 1e3 * cb_now_monotonic_s() - middle;
  t->step[i] = 1e3 * cb_now_monotonic_s() - begin;
  t->pairs = pairs;
  t->impacts = report.impacts;
  return CB_OK;
}

static cb_status measure(int vertices, cb_err *err) {
  sim_mesh mesh;
  sim_bvh tree;
  sim_self *self, *fresh;
  timing t;
  const sim_rectangle r = {
      .length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = vertices, .seed = 1};
  CB_TRY(sim_mesh_rectangle(&r, &mesh, err));
  const sim_mesh *const meshes[] = {&mesh};
  double begin = 1e3 * cb_now_monotonic_s();
  CB_TRY(sim_bvh_init(meshes, NULL, 1, &tree, err));
  double build = 1e3 * cb_now_monotonic_s() - begin;
  const sim_self_options options = {.thickness_m = 5e-4, .rounds = 20};
  CB_TRY(sim_self_new(meshes, NULL, 1, &options, &self, err));
  CB_TRY(sim_self_new(meshes, NULL, 1, &options, &fresh, err));
  double(*x)[3] = malloc((size_t)mesh.n_vertices * sizeof *x),
  (*y)[3] = malloc((size_t)mesh.n_vertices * sizeof *y);
  if (!x || !y) return cb_fail(err, CB_E_NOMEM, "out of memory");
  for (int i = 0; i < STEPS; i++) {
    drape(&mesh, 0.02 * i, x);
    drape(&mesh, 0.02 * (i + 1), y);
    CB_TRY(one_step(self, fresh, &tree, x, y, i, &t, err));
  }
  (void)printf("%8d %8.1f %8.2f %8.2f %8.2f %8.2f %8.2f %8ld %8d %8d\n", mesh.n_vertices, build,
               median(t.refit), median(t.walk), median(t.contacts), median(t.resolve), median(t.step),
               t.pairs, t.contacts_found, t.impacts);
  free(x);
  free(y);
  sim_self_free(self);
  sim_self_free(fresh);
  sim_bvh_clear(&tree);
  sim_mesh_clear(&mesh);
  return CB_OK;
}

int main(void) {
  static const int sizes[] = {5000, 20000, 80000};
  (void)printf("vertices    build    refit     walk contacts  resolve     step    pairs     near  impacts\n");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    cb_err err;
    if (measure(sizes[i], &err) != CB_OK) {
      (void)fprintf(stderr, "bench_self: %s\n", err.msg);
      return 1;
    }
  }
  return 0;
}
