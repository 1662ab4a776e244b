/* Scenes that went wrong without a word: what cannot be simulated is refused, or ends, by one sentence; what
 * can be is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_time.h"
#include "sim_play.h"
#include "val_stress_tests_impl.h"

#define MATERIAL                                                                                   \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, " \
  "shear_N_per_m: 200, bend_warp_uN_m: 5, bend_weft_uN_m: 5}\n"
#define SQUARE(vertices) \
  "name: hard\n"         \
  "sheet: {shape: rectangle, length_mm: 300, width_mm: 300, vertices: " #vertices "}\n" MATERIAL
#define FRAME                                      \
  "held:\n"                                        \
  "  - {box_mm: [-151, -151, -1, -149, 151, 1]}\n" \
  "  - {box_mm: [149, -151, -1, 151, 151, 1]}\n"   \
  "  - {box_mm: [-151, -151, -1, 151, -149, 1]}\n" \
  "  - {box_mm: [-151, 149, -1, 151, 151, 1]}\n"
#define DOWN "motion: [{until_s: 0.002, velocity_mm_per_s: [0, 0, -100000]}]"
#define SHEET(z) \
  "  - {shape: rectangle, length_mm: 200, width_mm: 200, vertices: 300, at_mm: [0, 0, " #z "]}\n"

static const struct {
  const char *name, *says; /* NULL: is simulated to its end */
  const char *text;
} watched[] = {
    {"watched: ball at 100 m/s", NULL,
     SQUARE(900) "bodies: [{shape: sphere, radius_mm: 30, at_mm: [0, 0, 80], " DOWN "}]\n" FRAME
                 "time: {duration_s: 0.02, step_ms: 1}\n"},
    {"watched: ball of a layer, 100 m/s", NULL,
     SQUARE(900) "layers: [{shape: ball, length_mm: 60, rigid: true, vertices: 500, meets: all, friction: 0, "
                 "at_mm: [0, 0, 80], " DOWN "}]\n" FRAME "time: {duration_s: 0.02, step_ms: 1}\n"},
    {"watched: ball at 100 km/s", "a step of at most",
     SQUARE(900) "bodies: [{shape: sphere, radius_mm: 3, at_mm: [0, 0, 80],\n"
                 "  motion: [{until_s: 0.002, velocity_mm_per_s: [0, 0, -1e5]}]}]\n" FRAME
                 "time: {duration_s: 0.1, step_ms: 50}\n"
                 "gravity_m_per_s2: [0, 0, -1e4]\n"},
    {"watched: ball of 3 mm, cells of 20", "body 1 (sphere) came through the cloth",
     SQUARE(200) "bodies: [{shape: sphere, radius_mm: 3, at_mm: [4, 7, 10],\n"
                 "  motion: [{until_s: 1, velocity_mm_per_s: [0, 0, -1000]}]}]\n" FRAME
                 "time: {duration_s: 0.1, step_ms: 2}\n"},
    {"watched: starts through a ball", "the cloth starts in body 1 (sphere)",
     SQUARE(900) "bodies: [{shape: sphere, radius_mm: 60}]\ntime: {duration_s: 0.1}\n"},
    {"watched: ball between vertices", "triangles whose corners are outside reach into it",
     SQUARE(60) "bodies: [{shape: sphere, radius_mm: 6, at_mm: [9, 4, 0]}]\ntime: {duration_s: 0.1}\n"},
    {"watched: pole through a disc", "the cloth starts in body 1 (cylinder)",
     "name: hard\n"
     "sheet: {shape: disc, radius_mm: 150, vertices: 900}\n" MATERIAL
     "bodies: [{shape: cylinder, radius_mm: 40}]\ntime: {duration_s: 0.1}\n"},
    {"watched: 1 mm, 1 um thick", "energy appeared from nowhere",
     "name: hard\n"
     "sheet: {shape: rectangle, length_mm: 1, width_mm: 1, vertices: 900}\n"
     "material: {areal_density_g_per_m2: 150, thickness_mm: 0.001, stretch_warp_N_per_m: 500, "
     "stretch_weft_N_per_m: 500,\n"
     "    shear_N_per_m: 200, bend_warp_uN_m: 5, bend_weft_uN_m: 5, damping_ms: 1}\n"
     "bodies: [{shape: sphere, radius_mm: 0.3, at_mm: [0, 0, -0.4]}]\n"
     "time: {duration_s: 0.1}\n"},
    {"watched: two sheets in one place", "coincide at",
     "name: hard\n"
     "sheet:\n" SHEET(5) SHEET(5) MATERIAL "time: {duration_s: 0.1}\n"},
    {"watched: two sheets that cross", "cross at",
     "name: hard\n"
     "sheet:\n" SHEET(
         5) "  - {shape: rectangle, length_mm: 200, width_mm: 200, vertices: 300, at_mm: [30, 0, 5],\n"
            "       turned_deg: [0, 20, 0]}\n" MATERIAL "time: {duration_s: 0.1}\n"},
    {"watched: sheet that lies on a plane", NULL,
     SQUARE(300) "bodies: [{shape: plane, friction: 0.3}]\ntime: {duration_s: 0.2}\n"},
};

static cb_status play(const char *text, val_stress_test *row, cb_err *why) {
  sim_scene scene;
  sim_play *p;
  CB_TRY(sim_scene_parse(text, strlen(text), "hard", &scene, why));
  CB_TRY(sim_play_new(&scene, &p, why));
  cb_status st = CB_OK;
  row->vertices = sim_play_mesh(p)->n_vertices;
  while (row->steps < sim_play_steps(p) && st == CB_OK) {
    st = sim_play_step(p, NULL, why);
    row->steps += st == CB_OK;
  }
  if (st == CB_OK)
    (void)snprintf(row->outcome, sizeof row->outcome, "%.3g s went by", sim_cloth_time(sim_play_cloth(p)));
  sim_play_free(p);
  return st;
}

cb_status hard_watched(val_stress_tests *out, cb_err *err) {
  for (size_t k = 0; k < sizeof watched / sizeof *watched; k++) {
    val_stress_test *row = &out->row[out->n++];
    const double start = cb_now_monotonic_s();
    cb_err why = {""};
    (void)snprintf(row->name, sizeof row->name, "%s", watched[k].name);
    row->nearest = INFINITY;
    const cb_status st = play(watched[k].text, row, &why);
    row->seconds = cb_now_monotonic_s() - start;
    if (st == CB_E_NOMEM) return cb_fail(err, st, "%s", why.msg);
    if (st != CB_OK)
      (void)snprintf(row->outcome, sizeof row->outcome, "%s: %.300s", row->steps > 0 ? "ended" : "refused",
                     why.msg);
    row->pass =
        watched[k].says == NULL ? st == CB_OK : st != CB_OK && strstr(why.msg, watched[k].says) != NULL;
  }
  return CB_OK;
}
