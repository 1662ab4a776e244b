/* Bodies from surfaces by tetgen: volumes of polyhedra; programs of that name which fail, hang or do not
 * exist; nothing is left behind. */
#include "cbtest.h"

#include <dirent.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "cb_num.h"
#include "sim_shape.h"
#include "sim_tetgen.h"
#include "sim_tets_impl.h"

static const double corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const int wall[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static bool installed(void) {
  if (system("command -v tetgen >/dev/null 2>&1") == 0) return true;
  print_message("skipped: tetgen is not installed (apt-get install tetgen)\n");
  return false;
}

static void check_nothing_left(void) {
  DIR *d = opendir(cbt_folder);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));)
    if (strncmp(e->d_name, "clothbench-body", 15) == 0) fail_msg("%s was left behind", e->d_name);
  closedir(d);
}

static int set_up(void **state) {
  cbt_folder_set_up(state);
  return setenv("TMPDIR", cbt_folder, 1);
}

/* n x m quads around a torus. */
static void torus(int n, int m, double ring, double tube, double (*x)[3], int (*triangle)[3]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double phi = 2 * CB_PI * i / n, psi = 2 * CB_PI * j / m, r = ring + tube * cos(psi);
      const double at[3] = {r * cos(phi), r * sin(phi), tube * sin(psi)};
      int p = i * m + j, q = (i + 1) % n * m + j, s = (i + 1) % n * m + (j + 1) % m, t = i * m + (j + 1) % m;
      const int quad[2][3] = {{p, q, s}, {p, s, t}};
      memcpy(x[p], at, sizeof at);
      memcpy(triangle[2 * p], quad, sizeof quad);
    }
}

/* By the divergence theorem. */
static double volume_within(const double (*x)[3], const int (*triangle)[3], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *a = x[triangle[i][0]], *b = x[triangle[i][1]], *c = x[triangle[i][2]];
    sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
            a[2] * (b[0] * c[1] - b[1] * c[0])) /
           6;
  }
  return sum;
}

static void filled(void **state) {
  (void)state;
  if (!installed()) return;
  enum { N = 24, M = 12 };
  double x[N * M + 1][3] = {{0}}; /* the last belongs to no triangle */
  int triangle[2 * N * M][3];
  sim_tets t;
  torus(N, M, 1, 0.4, x, triangle);
  assert_ok(sim_tets_from_surface((const sim_vec3 *)x, N * M + 1, (const int(*)[3])triangle, 2 * N * M, 30,
                                  &t, err));
  double volume = volume_within((const sim_vec3 *)x, (const int(*)[3])triangle, 2 * N * M);
  assert_near(sim_tets_volume_m3(&t), volume, 1e-12);
  assert_int_equal(t.n_surface, 2 * N * M); /* as it was */
  assert_near(volume_within((const sim_vec3 *)t.position_m, (const int(*)[3])t.surface, t.n_surface), volume,
              1e-12);
  sim_tets_clear(&t);
  check_nothing_left();
}

/* A skin written as a file and filled, in millimetres. */
static void from_a_file(void **state) {
  (void)state;
  if (!installed()) return;
  sim_shape_body b = sim_shape_make(SIM_SHAPE_BALL, 1);
  sim_shape_surface s;
  char path[400];
  assert_ok(sim_shape_skin(&b, 0, 400, &s, err));
  FILE *f = fopen(cbt_path("ball.obj", path), "w");
  for (int v = 0; v < s.n_vertices; v++)
    fprintf(f, "v %.17g %.17g %.17g\n", 1e3 * s.x_m[v][0], 1e3 * s.x_m[v][1], 1e3 * s.x_m[v][2]);
  for (int t = 0; t < s.n_triangles; t++)
    fprintf(f, "f %d %d %d\n", s.triangle[t][0] + 1, s.triangle[t][1] + 1, s.triangle[t][2] + 1);
  fclose(f);
  sim_tets t;
  assert_ok(sim_tets_from_obj(path, 1e-3, 30, &t, err));
  double volume = volume_within((const sim_vec3 *)s.x_m, (const int(*)[3])s.triangle, s.n_triangles);
  assert_near(sim_tets_volume_m3(&t), volume, 1e-12);
  assert_near(volume, CB_PI / 6, 0.03);
  sim_tets_clear(&t);
  sim_shape_surface_clear(&s);
}

static void refused(void **state) {
  (void)state;
  sim_tets t;
  char path[400];
  assert_fails(CB_E_RANGE, "the surface is open", sim_tets_from_surface(corner, 8, wall, 11, 30, &t, err));
  cbt_write(cbt_path("open.obj", path),
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 2 3 4\n");
  assert_fails(CB_E_RANGE, "open.obj: the edge of vertices", sim_tets_from_obj(path, 1, 30, &t, err));
  assert_fails(CB_E_RANGE, "metres per unit", sim_tets_from_obj(path, 0, 30, &t, err));
  if (!installed()) return;
  /* Two tori through each other. */
  double x[2 * 288][3];
  int triangle[2 * 576][3];
  torus(24, 12, 1, 0.4, x, triangle);
  for (int v = 0; v < 288; v++)
    for (int k = 0; k < 3; k++) x[288 + v][k] = x[v][k] + (k == 0 ? 0.3 : 0);
  for (int i = 0; i < 576; i++)
    for (int k = 0; k < 3; k++) triangle[576 + i][k] = 288 + triangle[i][k];
  assert_fails(CB_E_RANGE, "may cut itself",
               sim_tets_from_surface((const sim_vec3 *)x, 576, (const int(*)[3])triangle, 1152, 30, &t, err));
  check_nothing_left();
}

/* In its place another program is found first. */
static void programs(void **state) {
  (void)state;
  static const struct {
    const char *script, *sentence;
    cb_status status;
  } bad[] = {
      {"echo one; echo that was too much; exit 3",
       "failed with exit status 3 on the surface, which may cut itself: that was too much", CB_E_RANGE},
      {"exit 1", "exit status 1 on the surface, which may cut itself: it did not say why", CB_E_RANGE},
      {"kill -6 $$", "signal 6", CB_E_RANGE},
      {"exec sleep 60", "not done with the surface after 0.2 s", CB_E_TIMEOUT},
      {"exit 0", "what tetgen made of the surface: ", CB_E_IO},
      {"echo '4 3' > \"${2%.off}.1.node\"; : > \"${2%.off}.1.ele\"", "body.1.node: the file ends",
       CB_E_PARSE}};
  char path[400], was[4096], text[300];
  (void)snprintf(was, sizeof was, "%s", getenv("PATH"));
  (void)snprintf(text, sizeof text, "%s:/usr/bin:/bin", cbt_folder);
  assert_int_equal(setenv("PATH", text, 1), 0);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sim_tets t;
    (void)snprintf(text, sizeof text, "#!/bin/sh\n%s\n", bad[i].script);
    cbt_write(cbt_path("tetgen", path), text);
    assert_int_equal(chmod(path, 0755), 0);
    assert_fails(bad[i].status, bad[i].sentence,
                 sim_tets_from_surface(corner, 8, wall, 12, i == 3 ? 0.2 : 10, &t, err));
    check_nothing_left();
  }
  sim_tets t;
  assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
  assert_fails(CB_E_NOTFOUND, "tetgen is not installed",
               sim_tets_from_surface(corner, 8, wall, 12, 10, &t, err));
  check_nothing_left();
  assert_int_equal(setenv("PATH", was, 1), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(filled), cmocka_unit_test(from_a_file),
                                     cmocka_unit_test(refused), cmocka_unit_test(programs)};
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
