/* clothbench material set NAME: properties that a person types, with their source. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "cli_import.h"
#include "lab_typed.h"

typedef struct request {
  lab_typed typed;
  const char *db, *kind;
  double thickness_mm, u_thickness_mm, areal_mass_g_m2, u_areal_mass_g_m2, support_cm, specimen_cm,
      contact_area_cm2, speed_mm_per_s, bending_length_mm, u_bending_length_mm, flexural_rigidity_uN_m,
      u_flexural_rigidity_uN_m;
  bool new_names, is_static, json;
} request;

static cb_status store_typed(const request *q, cb_err *err) {
  cb_store *s = NULL;
  cb_status st = cli_open_named(q->db, q->new_names, &s, err);
  if (st == CB_OK) st = lab_typed_store(s, &q->typed, err);
  return cb_store_close_after(s, st, err);
}

static int report_typed(const request *q) {
  const lab_typed *t = &q->typed;
  if (q->json)
    return cli_print_json("material", json_pack("{s:s, s:s, s:s, s:s, s:s?}", "db", q->db, "kind",
                                                cb_material_kind_names[t->kind], "name", t->name, "source",
                                                t->source, "body", t->body));
  printf("%s '%s': stored in %s\n", cb_material_kind_names[t->kind], t->name, q->db);
  if (isfinite(t->bending_length_m) || isfinite(t->flexural_rigidity_Nm))
    printf("'clothbench fit bending --cloth \"%s\" --db %s' makes a law of it\n", t->name, q->db);
  if (t->body) printf("'clothbench fit friction --db %s' makes a law of it\n", q->db);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static void take_units(request *q) {
  lab_typed *t = &q->typed;
  t->thickness_m = q->thickness_mm / 1e3;
  t->u_thickness_m = q->u_thickness_mm / 1e3;
  t->areal_density_kg_per_m2 = q->areal_mass_g_m2 / 1e3;
  t->u_areal_density_kg_per_m2 = q->u_areal_mass_g_m2 / 1e3;
  t->bending_length_m = q->bending_length_mm / 1e3;
  t->u_bending_length_m = q->u_bending_length_mm / 1e3;
  t->flexural_rigidity_Nm = q->flexural_rigidity_uN_m / 1e6;
  t->u_flexural_rigidity_Nm = q->u_flexural_rigidity_uN_m / 1e6;
  t->support_m = q->support_cm / 100;
  t->specimen_m = q->specimen_cm / 100;
  t->contact_area_m2 = q->contact_area_cm2 / 1e4;
  t->speed_m_per_s = q->speed_mm_per_s / 1e3;
  t->friction_kind = q->is_static ? CB_FRICTION_STATIC : CB_FRICTION_KINETIC;
}

static int set_material(request *q) {
  cb_err err = {""};
  take_units(q);
  if (q->kind && strcmp(q->kind, "body") == 0) {
    q->typed.kind = CB_BODY;
  } else if (q->kind && strcmp(q->kind, "cloth") != 0) {
    cli_say("material", "--kind '%s': cloth or body was wanted", q->kind);
    return CLI_USAGE;
  }
  const cb_status st = store_typed(q, &err);
  return st == CB_OK ? report_typed(q) : cli_fail("material", st, &err);
}

static const char usage[] =
    "material set NAME [--thickness-mm T] [--areal-mass-g-m2 M] [--u-... U] [--drape-coefficient D] "
    "[--bending-length-mm L] [--flexural-rigidity-uN-m B] [--on "
    "BODY --mu M "
    "--normal-force-N N] --source TEXT [--db FILE] [--json]";

#define NUMBER(flag, field, least, most, text) \
  { .name = flag, .kind = CLI_NUMBER, .value = &(field), .min = least, .max = most, .help = text }

/* What a person types, in the units of the options. */
static request request_default(void) {
  request q = {.typed = lab_typed_default(),
               .thickness_mm = NAN,
               .areal_mass_g_m2 = NAN,
               .bending_length_mm = NAN,
               .flexural_rigidity_uN_m = NAN};
  const lab_typed *t = &q.typed;
  q.support_cm = 100 * t->support_m;
  q.specimen_cm = 100 * t->specimen_m;
  q.contact_area_cm2 = 1e4 * t->contact_area_m2;
  q.speed_mm_per_s = 1e3 * t->speed_m_per_s;
  return q;
}

int cmd_material(int argc, char **argv) {
  request q = request_default();
  lab_typed *t = &q.typed;
  const char *words[2] = {NULL};
  const cli_opt opts[] = {
      {"kind", CLI_TEXT, &q.kind, "cloth or body; else cloth"},
      {"composition", CLI_TEXT, &t->composition, "fibres: \"63 % polyester, 37 % viscose\""},
      {"weave", CLI_TEXT, &t->weave, "weave or knit"},
      NUMBER("thickness-mm", q.thickness_mm, 1e-3, 1e3, "thickness"),
      NUMBER("u-thickness-mm", q.u_thickness_mm, 0, 1e3, "its standard uncertainty; else not known"),
      NUMBER("areal-mass-g-m2", q.areal_mass_g_m2, 1, 1e4, "areal mass"),
      NUMBER("u-areal-mass-g-m2", q.u_areal_mass_g_m2, 0, 1e4, "its standard uncertainty; else not known"),
      NUMBER("drape-coefficient", t->drape_coefficient, 0, 1, "a measured drape coefficient, a fraction"),
      NUMBER("u-drape-coefficient", t->u_drape_coefficient, 0, 1, "its standard uncertainty"),
      NUMBER("support-cm", q.support_cm, 0.1, 100, "diameter of its support; else 18"),
      NUMBER("specimen-cm", q.specimen_cm, 0.1, 200, "diameter of its specimen; else 30"),
      NUMBER("bending-length-mm", q.bending_length_mm, 0.1, 1e4,
             "a bending length, of a strip at 41.5 degrees"),
      NUMBER("u-bending-length-mm", q.u_bending_length_mm, 0, 1e4, "its standard uncertainty"),
      NUMBER("flexural-rigidity-uN-m", q.flexural_rigidity_uN_m, 1e-6, 1e9, "or the rigidity made of it"),
      NUMBER("u-flexural-rigidity-uN-m", q.u_flexural_rigidity_uN_m, 0, 1e9, "its standard uncertainty"),
      {"on", CLI_TEXT, &t->body, "with --mu: the body"},
      NUMBER("mu", t->mu, 1e-6, 100, "a measured coefficient of friction, kinetic"),
      NUMBER("u-mu", t->u_mu, 0, 100, "its standard uncertainty"),
      {"static", CLI_SWITCH, &q.is_static, "the coefficient is static"},
      NUMBER("normal-force-N", t->normal_force_N, 1e-6, 1e6, "under which it was measured"),
      NUMBER("angle-deg", t->angle_deg, -360, 360, "from the warp; else 0"),
      NUMBER("contact-area-cm2", q.contact_area_cm2, 1e-4, 1e6, "else 50"),
      NUMBER("speed-mm-per-s", q.speed_mm_per_s, 0, 1e5, "else 10"),
      {"source", CLI_TEXT, &t->source, "who says so: citation, data sheet, laboratory", .required = true},
      {"db", CLI_TEXT, &q.db, "the database file; made if it does not exist"},
      {"new", CLI_SWITCH, &q.new_names, CLI_NEW_HELP},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], words, 2, 2, NULL);
  if (stop >= 0) return stop;
  if (strcmp(words[0], "set") != 0) {
    cli_say("material", "'%s': 'material set NAME' was wanted", words[0]);
    return CLI_USAGE;
  }
  t->name = words[1];
  q.db = cli_db_path(q.db);
  return set_material(&q);
}
