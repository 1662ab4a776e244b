/* The drape's shadow against truth: discs, ellipses and rosettes whose area, nodes and heights are closed
 * forms; meshes; wrong pictures. */
#include "fit_drape.h"
#include "fit_drape_impl.h"

#include "drapetest.h"

static const fit_drape_setup standard = {0.18, 0.30, 0.001};

static cb_status reduce(const fit_picture *p, const fit_drape_setup *q, fit_drape *d, cb_err *err) {
  fit_shadow s;
  cb_status st = fit_drape_silhouette(p, "p", q, &s, err);
  if (st == CB_OK) st = fit_drape_reduce(&s, "p", q, d, err);
  fit_shadow_clear(&s);
  return st;
}

static void expect_rosette(const fit_drape *d, const dt_rosette *q, double m_per_px, double error_sd) {
  double truth = dt_coefficient(dt_area(q) * m_per_px * m_per_px);
  if (!(fabs(d->drape_coefficient - truth) <= error_sd * d->u))
    fail_msg("DC %.6f +- %.6f, truth %.6f", d->drape_coefficient, d->u, truth);
  assert_int_equal(d->nodes, q->k);
  assert_near(d->node_height_m, q->k ? 2 * q->b * m_per_px : 0, 0.15 * m_per_px);
  assert_near(d->radius_max_m, (q->a + q->b) * m_per_px, 0.3 * m_per_px);
  assert_near(d->radius_min_m, (q->a - q->b) * m_per_px, 0.3 * m_per_px);
}

/* At places that have nothing to do with the raster; 1 mm per pixel. */
static void rosettes(void **state) {
  (void)state;
  static const dt_rosette all[] = {{200.3, 180.7, 120, 0, 0},  {190.1, 200.9, 125, 8, 4},
                                   {201.5, 199.5, 118, 12, 7}, {200.9, 190.2, 112, 15, 11},
                                   {200, 200, 115, 6, 16},     {199.7, 201.1, 110, 4, 1}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    fit_picture p = dt_ground(400, 380, 250);
    fit_drape d;
    dt_draw(&p, &all[i], 20);
    assert_ok(reduce(&p, &standard, &d, err));
    if (all[i].k != 1) expect_rosette(&d, &all[i], 0.001, 0.5);
    assert_true(d.nodes_least <= d.nodes && d.nodes <= d.nodes_most);
    assert_true(d.u > 0 && d.u < 0.01);
    /* Light on dark is the same. */
    for (size_t k = 0; k < p.width * p.height; k++) p.grey[k] = (unsigned char)(255 - p.grey[k]);
    fit_drape e;
    assert_ok(reduce(&p, &standard, &e, err));
    assert_near(e.drape_coefficient, d.drape_coefficient, 1e-12);
    fit_picture_clear(&p);
  }
}

static void an_ellipse_has_two_nodes(void **state) {
  (void)state;
  const double a = 130, b = 105;
  fit_shadow s = {.width = 300, .height = 300, .pixel_m = 0.001};
  s.cover = calloc(90000, sizeof *s.cover);
  assert_non_null(s.cover);
  for (size_t k = 0; k < 90000; k++)
    for (int i = 0; i < 64; i++) {
      double x = (double)(k % 300) + (i % 8 + 0.5) / 8 - 150, y = (double)(k / 300) + (i / 8 + 0.5) / 8 - 150;
      s.cover[k] += x * x / (a * a) + y * y / (b * b) < 1 ? 1.0F / 64 : 0;
    }
  fit_drape d;
  assert_ok(fit_drape_reduce(&s, "e", &standard, &d, err));
  fit_shadow_clear(&s);
  assert_near(d.drape_coefficient, dt_coefficient(CB_PI * a * b * 1e-6), 1e-4);
  assert_int_equal(d.nodes, 2);
  assert_near(d.node_height_m, 0.025, 1e-4);
  assert_near(d.radius_m[0], 0.130, 1e-4);
  assert_near(d.radius_m[90], 0.105, 1e-4);
}

/* No greys: the stated uncertainty must hold; 40 positions of the raster. */
static void black_and_white_within_its_uncertainty(void **state) {
  (void)state;
  int outside = 0;
  for (int n = 0; n < 40; n++) {
    dt_rosette q = {130 + 0.37 * n - floor(0.37 * n), 128 + 0.61 * n - floor(0.61 * n), 85, 8, 7};
    fit_picture p = dt_ground(256, 256, 255);
    dt_draw(&p, &q, 0);
    for (size_t k = 0; k < p.width * p.height; k++) p.grey[k] = p.grey[k] < 128 ? 0 : 255;
    fit_drape d;
    const fit_drape_setup setup = {0.18, 0.30, 0.0014};
    assert_ok(reduce(&p, &setup, &d, err));
    outside += fabs(d.drape_coefficient - dt_coefficient(dt_area(&q) * 0.0014 * 0.0014)) > 2 * d.u;
    assert_int_equal(d.nodes, 7);
    fit_picture_clear(&p);
  }
  assert_int_equal(outside, 0);
}

static void the_disc_gives_the_scale(void **state) {
  (void)state;
  /* Dark on grey cloth; light on dark cloth; as light as the ground. */
  static const double greys[][2] = {{120, 10}, {60, 160}, {40, 245}};
  fit_drape_setup q = fit_drape_setup_default();
  for (size_t i = 0; i < 3; i++) {
    fit_picture p = dt_ground(600, 500, 245);
    const dt_rosette cloth = {300.2, 251.1, 210, 15, 6};
    dt_draw(&p, &cloth, greys[i][0]);
    dt_draw(&p, &(dt_rosette){300.2, 251.1, 157.3, 0, 0}, greys[i][1]);
    fit_drape d;
    assert_ok(reduce(&p, &q, &d, err));
    assert_int_equal(d.scale_from, FIT_SCALE_DISC);
    assert_near(d.pixel_m, 0.09 / 157.3, 2 * d.u_scale_rel * d.pixel_m);
    assert_true(d.u_scale_rel < 0.005);
    expect_rosette(&d, &cloth, 0.09 / 157.3, 2);
    fit_picture_clear(&p);
  }
}

static void without_a_disc_the_field_is_assumed(void **state) {
  (void)state;
  fit_drape_setup q = fit_drape_setup_default();
  fit_picture p = dt_ground(353, 300, 255);
  const dt_rosette cloth = {170, 150, 125, 8, 6};
  dt_draw(&p, &cloth, 0);
  p.grey[170 + 150 * 353] = 255; /* a hole is filled */
  p.grey[5 + 5 * 353] = 0;       /* dust is not cloth */
  fit_drape d;
  assert_ok(reduce(&p, &q, &d, err));
  assert_int_equal(d.scale_from, FIT_SCALE_ASSUMED);
  assert_near(d.u_scale_rel, FIT_DRAPE_U_FIELD_REL, 0);
  expect_rosette(&d, &cloth, 0.001, 0.1);
  fit_picture_clear(&p);
}

static void wrong_pictures(void **state) {
  (void)state;
  fit_drape d;
  fit_picture p = dt_ground(400, 400, 200);
  assert_fails(CB_E_RANGE, "p: there is no shape", reduce(&p, &standard, &d, err));
  dt_draw(&p, &(dt_rosette){200, 200, 120, 0, 0}, 190);
  assert_fails(CB_E_RANGE, "p: the shape does not stand out", reduce(&p, &standard, &d, err));
  memset(p.grey, 255, 160000);
  dt_draw(&p, &(dt_rosette){100, 200, 120, 0, 0}, 0);
  assert_fails(CB_E_RANGE, "p: the shape touches the border", reduce(&p, &standard, &d, err));
  memset(p.grey, 255, 160000);
  dt_draw(&p, &(dt_rosette){130, 130, 100, 0, 0}, 0);
  dt_draw(&p, &(dt_rosette){320, 320, 60, 0, 0}, 0);
  assert_fails(CB_E_RANGE, "p: there are two shapes", reduce(&p, &standard, &d, err));
  memset(p.grey, 255, 160000);
  dt_draw(&p, &(dt_rosette){200, 200, 120, 0, 0}, 0);
  fit_drape_setup q = standard;
  q.scale_m_per_px = 0.002;
  assert_fails(CB_E_RANGE, "that is a scale of 0.75", reduce(&p, &q, &d, err));
  q.specimen_m = 0.19;
  assert_fails(CB_E_RANGE, "larger by a tenth", reduce(&p, &q, &d, err));
  fit_picture_clear(&p);
}

/* ---- meshes ---- */

#define SECTORS 720

/* A flat top of 9 cm, and from there a skirt down to r(phi), 6 cm lower. */
static void skirt(double (*v)[3], int (*t)[3], double a, double b, int k) {
  v[0][0] = v[0][1] = v[0][2] = 0;
  for (int i = 0; i < SECTORS; i++) {
    double phi = 2 * CB_PI * i / SECTORS, r = a + b * cos(k * phi);
    int next = (i + 1) % SECTORS;
    const double top[3] = {0.09 * cos(phi), 0.09 * sin(phi), 0}, rim[3] = {r * cos(phi), r * sin(phi), -0.06};
    memcpy(v[1 + i], top, sizeof top);
    memcpy(v[1 + SECTORS + i], rim, sizeof rim);
    const int triangles[3][3] = {{0, 1 + i, 1 + next},
                                 {1 + i, 1 + SECTORS + i, 1 + SECTORS + next},
                                 {1 + i, 1 + SECTORS + next, 1 + next}};
    memcpy(t[3 * i], triangles, sizeof triangles);
  }
}

static void meshes(void **state) {
  (void)state;
  static const struct {
    double a, b;
    int k;
  } all[] = {{0.12, 0, 0}, {0.12, 0.012, 6}, {0.115, 0.015, 10}, {0.13, 0.01, 3}};
  static double v[2 * SECTORS + 1][3];
  static int t[3 * SECTORS][3];
  for (size_t i = 0; i < 4; i++) {
    skirt(v, t, all[i].a, all[i].b, all[i].k);
    fit_shadow s;
    fit_drape d;
    assert_ok(fit_drape_mesh_shadow((const double(*)[3])v, 2 * SECTORS + 1, (const int(*)[3])t, 3 * SECTORS,
                                    "m", &s, err));
    assert_ok(fit_drape_reduce(&s, "m", &standard, &d, err));
    fit_shadow_clear(&s);
    double area = 0; /* of the polygon */
    for (int k = 0; k < SECTORS; k++) {
      const double *p = v[1 + SECTORS + k], *q = v[1 + SECTORS + (k + 1) % SECTORS];
      area += (p[0] * q[1] - p[1] * q[0]) / 2;
    }
    assert_near(d.drape_coefficient, dt_coefficient(area), 3 * d.u);
    assert_true(d.u < 1e-4);
    assert_int_equal(d.nodes, all[i].k);
    assert_near(d.node_height_m, 2 * all[i].b, 1e-4);
    assert_near(d.radius_m[0], all[i].a + all[i].b, 1.5e-4);
    assert_int_equal(d.scale_from, FIT_SCALE_MESH);
  }
}

static void wrong_meshes(void **state) {
  (void)state;
  static double v[2 * SECTORS + 1][3];
  static int t[3 * SECTORS][3];
  fit_shadow s;
  fit_drape d;
  skirt(v, t, 0.12, 0, 0);
  for (int i = 0; i < 2 * SECTORS + 1; i++)
    for (int k = 0; k < 3; k++) v[i][k] *= 100; /* centimetres */
  assert_fails(CB_E_RANGE, "is it in metres?",
               fit_drape_mesh_shadow((const double(*)[3])v, 2 * SECTORS + 1, (const int(*)[3])t, 3 * SECTORS,
                                     "m", &s, err));
  fit_shadow_clear(&s);
  for (int i = 0; i < 2 * SECTORS + 1; i++)
    for (int k = 0; k < 3; k++) v[i][k] /= 200; /* half as large */
  assert_ok(fit_drape_mesh_shadow((const double(*)[3])v, 2 * SECTORS + 1, (const int(*)[3])t, 3 * SECTORS,
                                  "m", &s, err));
  assert_fails(CB_E_RANGE, "m: the outline lies between 0.0599 and 0.0601 m",
               fit_drape_reduce(&s, "m", &standard, &d, err));
  fit_shadow_clear(&s);
  t[7][1] = 2 * SECTORS + 1;
  assert_fails(CB_E_RANGE, "triangle 7 has vertex 1441 of 1441",
               fit_drape_mesh_shadow((const double(*)[3])v, 2 * SECTORS + 1, (const int(*)[3])t, 3 * SECTORS,
                                     "m", &s, err));
  t[7][1] = 1;
  v[5][0] = NAN;
  assert_fails(CB_E_NUM, "vertex 5 is not finite",
               fit_drape_mesh_shadow((const double(*)[3])v, 2 * SECTORS + 1, (const int(*)[3])t, 3 * SECTORS,
                                     "m", &s, err));
  assert_fails(CB_E_RANGE, "0 triangles",
               fit_drape_mesh_shadow((const double(*)[3])v, 3, (const int(*)[3])t, 0, "m", &s, err));
}

/* ---- nodes alone ---- */

static void nodes_that_stand_out(void **state) {
  (void)state;
  double r[360], height;
  for (int i = 0; i < 360; i++) r[i] = 0.12 + 0.010 * cos(5 * i * CB_DEG) + 0.0004 * cos(31 * i * CB_DEG);
  assert_int_equal(fit_drape_nodes(r, 360, 0.0018, &height), 5); /* ripples of less than the prominence are
                                                                    none */
  assert_near(height, 0.0205, 0.0006);
  for (int i = 0; i < 360; i++) r[i] = 0.12;
  assert_int_equal(fit_drape_nodes(r, 360, 0.0018, &height), 0);
  assert_near(height, 0, 0);
  for (int i = 0; i < 360; i++) r[i] = 0.12 + 0.005 * cos(i * CB_DEG);
  assert_int_equal(fit_drape_nodes(r, 360, 0.0018, &height), 1);
  assert_near(height, 0.01, 1e-5);
}

/* ---- real ones: the same drape as picture and as scan ---- */

static void scan_and_picture_agree(void **state) {
  (void)state;
  static const struct {
    const char *picture, *scan; /* which belong together, the outlines tell: docs/method/drape.md */
  } pairs[] = {
      {"fabric_5/Fabric_5_Sample_1_Capture_1.jpg", "fabric_5/Fabric_5_Sample_1_Capture_1.obj.gz"},
      {"fabric_24/Fabric_24_Sample_3.jpg", "fabric_24/Fabric_24_Sample_3.obj.gz"},
      {"fabric_3/Fabric_3_Sample_1_Capture_2.jpg", "fabric_3/Fabric_3_Sample_1_Capture_2.obj.gz"},
      {"fabric_21/Fabric_21_Sample_2.jpg", "fabric_21/Fabric_21_Sample_2.obj.gz"},
      {"fabric_12/Fabric_12_Sample_1_Capture_3.jpg", "fabric_12/Fabric_12_Sample_1_Capture_1.obj.gz"}};
  fit_drape_setup q = fit_drape_setup_default();
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    char picture[400], scan[400];
    (void)snprintf(picture, sizeof picture, "%s/drape_scans/%s", CBT_DATA, pairs[i].picture);
    (void)snprintf(scan, sizeof scan, "%s/drape_scans/%s", CBT_DATA, pairs[i].scan);
    if (cbt_absent(picture)) return;
    fit_drape_file a, b;
    assert_ok(fit_drape_read(picture, &q, &a, err));
    assert_ok(fit_drape_read(scan, &q, &b, err));
    assert_near(a.drape.drape_coefficient, b.drape.drape_coefficient, 2 * a.drape.u);
    assert_near(a.drape.nodes, b.drape.nodes, 1);
    assert_near(a.drape.node_height_m, b.drape.node_height_m, 0.0015);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rosettes),
      cmocka_unit_test(an_ellipse_has_two_nodes),
      cmocka_unit_test(black_and_white_within_its_uncertainty),
      cmocka_unit_test(the_disc_gives_the_scale),
      cmocka_unit_test(without_a_disc_the_field_is_assumed),
      cmocka_unit_test(wrong_pictures),
      cmocka_unit_test(meshes),
      cmocka_unit_test(wrong_meshes),
      cmocka_unit_test(nodes_that_stand_out),
      cmocka_unit_test(scan_and_picture_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
