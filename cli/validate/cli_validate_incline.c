/* clothbench validate incline: a cloth on a slope against the rigid body. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "cli_kind.h"
#include "cli_table.h"
#include "cli_validate.h"
#include "val_incline.h"

typedef struct request {
  val_incline e;
  cli_contact_friction contact;
  double run, angle_deg, vertices, areal_mass_g_m2, turned_deg, launch_deg;
  const char *scheme, *mesh;
  bool critical, json;
} request;

static bool name_index(const char *option, const char *word, const char *const names[], int n, int *out) {
  if (!word) return true;
  for (int i = 0; i < n && names[i]; i++)
    if (strcmp(names[i], word) == 0) {
      *out = i;
      return true;
    }
  cli_say("validate", "--%s = '%s': '%s', '%s' ... were wanted", option, word, names[0], names[1]);
  return false;
}

/* ---- one slide ---- */

static json_t *way_json(const val_incline_result *r) {
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "expected_m", r->expected_m[0], "expected_across_m",
                   r->expected_m[1], "scheme_m", r->scheme_m[0], "scheme_across_m", r->scheme_m[1],
                   "length_m", r->way_m, "error_percent", 100 * r->way_error);
}

static json_t *run_json(const request *q, const val_incline_result *r) {
  json_t *doc =
      json_pack("{s:s, s:s, s:f, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:b}", "experiment", "incline",
                "verdict", r->agrees ? "pass" : "fail", "angle_deg", q->angle_deg, "vertices", r->vertices,
                "displacement_m", r->displacement_m[0], "across_m", r->displacement_m[1],
                "largest_displacement_m", r->largest_m, "acceleration_m_s2", r->acceleration_m_per_s2,
                "expected_m_s2", r->expected_m_per_s2, "acceleration_error_percent",
                100 * r->acceleration_error, "sticks", r->sticks, "expected_sticks", r->expected_sticks);
  (void)json_object_set_new(doc, "way", way_json(r));
  (void)json_object_set_new(doc, "friction", cli_contact_friction_json(&q->contact, &q->e.friction));
  (void)json_object_set_new(doc, "extrapolated_contacts", json_integer(r->extrapolated));
  (void)json_object_set_new(doc, "scheme", json_string(sim_cloth_scheme_names[q->e.scheme]));
  (void)json_object_set_new(doc, "dt_s", json_real(q->e.dt_s));
  (void)json_object_set_new(doc, "duration_s", json_real(q->e.duration_s));
  (void)json_object_set_new(doc, "seconds", json_real(r->seconds));
  return doc;
}

static void print_run(const request *q, const val_incline_result *r) {
  char words[160];
  cli_contact_friction_words(&q->contact, &q->e.friction, words, sizeof words);
  printf("incline: %g deg, %s, %d vertices, %s, steps of %g ms, %g s\n\n", q->angle_deg, words, r->vertices,
         sim_cloth_scheme_names[q->e.scheme], 1e3 * q->e.dt_s, q->e.duration_s);
  printf("%-22s %-5s %13s %13s %12s\n", "", "", "predicted", "reference", "error");
  printf("%-22s %-5s %13s %13s\n", "holds", "", r->sticks ? "yes" : "no", r->expected_sticks ? "yes" : "no");
  printf("%-22s %-5s %13.6g %13.6g %10.3f %%\n", "acceleration", "m/s2", r->acceleration_m_per_s2,
         r->expected_m_per_s2, 100 * r->acceleration_error);
  printf("%-22s %-5s %13.6g %13.6g\n", "down the slope", "m", r->displacement_m[0],
         r->expected_m[0] + r->scheme_m[0]);
  printf("%-22s %-5s %13.6g %13.6g %10.3f %% of the way\n", "across", "m", r->displacement_m[1],
         r->expected_m[1] + r->scheme_m[1], 100 * r->way_error);
  printf("%-22s %-5s %13.3g\n\n", "any vertex, at most", "m", r->largest_m);
  printf("the reference contains what the scheme itself adds: %.3g m, %.3g m across\n", r->scheme_m[0],
         r->scheme_m[1]);
  if (r->extrapolated > 0)
    printf("%d contact%s %s lighter or heavier than the law was measured: extrapolated\n", r->extrapolated,
           CB_S(r->extrapolated), CB_PLURAL(r->extrapolated, "presses", "press"));
  printf("verdict: %s (%.1f s)\n", r->agrees ? "pass" : "fail", r->seconds);
}

static int run_slide(const request *q) {
  cb_err err = {""};
  val_incline_result r;
  cb_status st = val_incline_run(&q->e, &r, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!q->json) print_run(q, &r);
  return cli_verdict(q->json, q->json ? run_json(q, &r) : NULL, r.agrees);
}

/* ---- angles of release ---- */

static int run_releases(const request *q) {
  cb_err err = {""};
  json_t *rows = json_array();
  bool pass = true;
  if (!q->json)
    printf("%12s %9s %12s %12s %9s\n", "areal mass", "vertices", "released", "reference", "error");
  for (int i = 0; i < VAL_RELEASES; i++) {
    const val_incline e = val_incline_release_case(&q->e, i);
    val_release r;
    cb_status st = val_incline_release(&e, VAL_RELEASE_WITHIN_DEG * CB_DEG, &r, &err);
    if (st != CB_OK) {
      json_decref(rows);
      return cli_fail("validate", st, &err);
    }
    pass = pass && r.agrees;
    double mass = 1e3 * e.material.areal_density_kg_per_m2, angle = r.angle_rad / CB_DEG,
           expected = r.expected_rad / CB_DEG;
    (void)json_array_append_new(
        rows, json_pack("{s:f, s:i, s:f, s:f, s:f}", "areal_mass_g_m2", mass, "vertices", r.vertices,
                        "angle_deg", angle, "expected_deg", expected, "error_deg", angle - expected));
    if (!q->json)
      printf("%8.4g g/m2 %9d %8.3f deg %8.3f deg %+9.3f\n", mass, r.vertices, angle, expected,
             angle - expected);
  }
  json_t *doc =
      json_pack("{s:s, s:s, s:o, s:f, s:o}", "experiment", "incline", "verdict", pass ? "pass" : "fail",
                "friction", cli_contact_friction_json(&q->contact, &q->e.friction), "within_deg",
                VAL_RELEASE_WITHIN_DEG, "releases", rows);
  int code = q->json ? cli_print_json("validate", doc) : CLI_DONE;
  if (!q->json) {
    printf("\nverdict: %s (0.2 deg is allowed)\n", pass ? "pass" : "fail");
    json_decref(doc);
  }
  return code != CLI_DONE ? code : pass ? CLI_DONE : CLI_NEGATIVE;
}

/* ---- options ---- */

static int take_request(request *q) {
  int scheme = q->e.scheme, pattern = q->e.pattern;
  if (q->run > 0) return cli_validate_incline_run(cli_db_path(q->contact.db), q->run, q->json);
  if (!cli_contact_friction_in_order(&q->contact)) return CLI_USAGE;
  if (!name_index("scheme", q->scheme, sim_cloth_scheme_names, 2, &scheme)) return CLI_USAGE;
  if (!name_index("mesh", q->mesh, sim_pattern_text, SIM_PATTERN_COUNT, &pattern)) return CLI_USAGE;
  if (!q->critical && isnan(q->angle_deg)) {
    cli_say("validate", "--run, --angle-deg or --critical is wanted");
    return CLI_USAGE;
  }
  q->e.scheme = (sim_cloth_scheme)scheme;
  q->e.pattern = (sim_pattern)pattern;
  q->e.vertices = (int)q->vertices;
  q->e.material.areal_density_kg_per_m2 = 1e-3 * q->areal_mass_g_m2;
  q->e.angle_rad = q->critical ? 0 : q->angle_deg * CB_DEG;
  q->e.turned_rad = q->turned_deg * CB_DEG;
  q->e.launch_rad = q->launch_deg * CB_DEG;
  cb_err err = {""};
  cb_status st = cli_contact_friction_read(&q->contact, &q->e.friction, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  return q->critical ? run_releases(q) : run_slide(q);
}

int cli_validate_incline(int argc, char **argv) {
  static request q; /* two laws are large */
  q = (request){.e = val_incline_default(),
                .contact = CLI_CONTACT_FRICTION_DEFAULT,
                .angle_deg = NAN,
                .vertices = 5000,
                .areal_mass_g_m2 = 150};
  const cli_opt opts[] = {
      {"run", CLI_NUMBER, &q.run, "instead: a measured release or slide, against the law of its pair",
       .min = 1, .max = 9e15},
      CLI_CONTACT_FRICTION_OPTIONS(q.contact),
      {"angle-deg", CLI_NUMBER, &q.angle_deg, "of the slope", .max = 89.9},
      {"critical", CLI_SWITCH, &q.critical,
       "instead: angles of release of light and heavy cloths, on two meshes"},
      {"dt-s", CLI_NUMBER, &q.e.dt_s, "step; else 0.005", .min = 1e-6, .max = 1},
      {"duration-s", CLI_NUMBER, &q.e.duration_s, "else 1", .min = 1e-6, .max = 1e4},
      {"vertices", CLI_NUMBER, &q.vertices, "of the cloth, about; else 5000", .min = 4, .max = 1e6},
      {"mesh", CLI_TEXT, &q.mesh, "pattern of the triangles; else right"},
      {"scheme", CLI_TEXT, &q.scheme, "backward-euler (default) or bdf2"},
      {"side-m", CLI_NUMBER, &q.e.side_m, "of the square cloth; else 0.2", .min = 1e-3, .max = 100},
      {"areal-mass-g-m2", CLI_NUMBER, &q.areal_mass_g_m2, "else 150", .min = 0.1, .max = 1e5},
      {"turned-deg", CLI_NUMBER, &q.turned_deg, "the slope downwards, from the warp", .min = -360,
       .max = 360},
      {"launch-m-s", CLI_NUMBER, &q.e.launch_m_per_s, "speed at the start", .max = 100},
      {"launch-deg", CLI_NUMBER, &q.launch_deg, "its direction, from down the slope", .min = -180,
       .max = 180},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "validate incline --run ID [--db FILE] [--json] | --angle-deg A | "
                       "--critical " CLI_CONTACT_FRICTION_USAGE
                       " [--dt-s H] [--duration-s T] [--vertices N] [--scheme NAME] [--launch-m-s V "
                       "--launch-deg B] [...] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  return stop >= 0 ? stop : take_request(&q);
}
