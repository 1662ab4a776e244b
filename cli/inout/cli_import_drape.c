/* clothbench import drape: silhouettes and scanned meshes of draped cloth -> coefficient, nodes, outline;
 * with --cloth into a database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_import.h"
#include "lab_import.h"
#include "cb_plural.h"

#define MAX_FILES 1000

typedef struct request {
  const char *files[MAX_FILES];
  lab_import lab;
  lab_drape_import drapes;
  double scale_mm_per_px, specimen_cm, support_cm;
  bool json, is_virtual;
} request;

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* ---- what is shown ---- */

static json_t *file_json(const char *file, const fit_drape *d) {
  return json_pack(
      "{s:s, s:s, s:f, s:f, s:f, s:f, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:o}",
      "file", file, "method", lab_drape_method(d), "drape_coefficient", d->drape_coefficient, "u", d->u,
      "u_scale", d->u_scale, "u_edge", d->u_edge, "nodes", d->nodes, "nodes_least", d->nodes_least,
      "nodes_most", d->nodes_most, "amplitude_m", d->node_height_m, "area_m2", d->area_m2, "u_area_m2",
      d->u_area_m2, "radius_mean_m", d->radius_mean_m, "radius_min_m", d->radius_min_m, "radius_max_m",
      d->radius_max_m, "scale_mm_per_px", 1e3 * d->pixel_m, "u_scale_rel", d->u_scale_rel, "scale_from",
      fit_scale_from_names[d->scale_from], "radius_m", lab_drape_profile(d));
}

static int print_json(const request *q, const fit_drape_file *f) {
  json_t *files = json_array();
  lab_drape_mean s = lab_drape_mean_of(f, q->drapes.n);
  json_t *all = json_pack("{s:I, s:f, s:o, s:f}", "n", (json_int_t)q->drapes.n, "drape_coefficient",
                          s.coefficient, "sd", cb_json_real(s.sd), "nodes", s.nodes);
  for (size_t i = 0; i < q->drapes.n; i++)
    (void)json_array_append_new(files, file_json(q->files[i], &f[i].drape));
  return cli_print_json(
      "import", json_pack("{s:o, s:o, s:s, s:f, s:f, s:o, s:o}", "db",
                          q->drapes.cloth ? json_string(q->lab.db) : json_null(), "cloth",
                          q->drapes.cloth ? json_string(q->drapes.cloth) : json_null(), "origin",
                          cb_origin_names[q->drapes.origin], "support_cm", q->support_cm, "specimen_cm",
                          q->specimen_cm, "files", files, "all", all));
}

static int print_text(const request *q, const fit_drape_file *f) {
  printf("drape of a %g cm specimen on a %g cm support (ISO 9073-9)\n", q->specimen_cm, q->support_cm);
  printf("  %-40s %7s %7s %5s %12s %9s\n", "file", "DC", "u", "nodes", "amplitude mm", "scale");
  for (size_t i = 0; i < q->drapes.n; i++) {
    const fit_drape *d = &f[i].drape;
    printf("  %-40s %7.4f %7.4f %5d %12.2f %9s\n", base_name(q->files[i]), d->drape_coefficient, d->u,
           d->nodes, 1e3 * d->node_height_m, fit_scale_from_names[d->scale_from]);
  }
  lab_drape_mean s = lab_drape_mean_of(f, q->drapes.n);
  if (q->drapes.n > 1) printf("  mean %.4f, sd %.4f of %zu\n", s.coefficient, s.sd, q->drapes.n);
  if (q->drapes.cloth)
    printf("%zu drape%s of '%s' imported into %s\n", q->drapes.n, CB_S(q->drapes.n), q->drapes.cloth,
           q->lab.db);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static void say_assumed(const request *q, const fit_drape_file *f) {
  size_t n = 0;
  for (size_t i = 0; i < q->drapes.n; i++) n += f[i].drape.scale_from == FIT_SCALE_ASSUMED;
  if (n > 0)
    cli_say("import",
            "no support disc is seen in %zu picture%s, and --scale-mm-per-px is not given: the longer side "
            "is taken as %g cm, u = %g %%",
            n, CB_S(n), 100 * FIT_DRAPE_FIELD_M, 100 * FIT_DRAPE_U_FIELD_REL);
}

static int import_drapes(const request *q) {
  cb_err err = {""};
  fit_drape_file *f = calloc(q->drapes.n, sizeof *f);
  const cb_status st =
      f ? lab_import_drapes(&q->lab, &q->drapes, f, &err) : cb_no_memory(&err, "%zu drapes", q->drapes.n);
  int code = st == CB_OK ? CLI_DONE : cli_fail("import", st, &err);
  if (st == CB_OK) {
    say_assumed(q, f);
    code = q->json ? print_json(q, f) : print_text(q, f);
  }
  free(f);
  return code;
}

static const char usage[] =
    "import drape FILE... [--scale-mm-per-px S] [--specimen-cm 30] [--support-cm 18] [--cloth NAME "
    "[--virtual] "
    "[--db FILE]] [--json]\n"
    "  FILE  silhouette from above (PNG, JPEG) or scanned mesh (OBJ, also gzip; metres, z up); without "
    "--cloth nothing is stored";

int cli_import_drape(int argc, char **argv) {
  request q = {.lab.ask = cli_name_question(), .drapes.files = q.files, .specimen_cm = 30, .support_cm = 18};
  const cli_opt opts[] = {
      {"scale-mm-per-px", CLI_NUMBER, &q.scale_mm_per_px,
       "of pictures; else by the support disc where it is seen, else the longer side is taken as 35.3 cm",
       .min = 1e-3, .max = 10},
      {"specimen-cm", CLI_NUMBER, &q.specimen_cm, "its diameter; 24, 30 or 36 (30)", .min = 1, .max = 200},
      {"support-cm", CLI_NUMBER, &q.support_cm, "diameter of the support disc (18)", .min = 1, .max = 100},
      {"cloth", CLI_TEXT, &q.drapes.cloth, "store the drapes as this cloth's"},
      {"source", CLI_TEXT, &q.drapes.source, "who measured; else the file's name"},
      {"virtual", CLI_SWITCH, &q.is_virtual, "pictures of a simulated cloth: they never pass as measured"},
      {"db", CLI_TEXT, &q.lab.db, "the database file; made if it does not exist"},
      {"new", CLI_SWITCH, &q.lab.new_names, CLI_NEW_HELP},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop =
      cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], q.files, 1, MAX_FILES, &q.drapes.n);
  if (stop >= 0) return stop;
  if ((q.lab.db || q.drapes.source) && !q.drapes.cloth) {
    cli_say("import", "--db and --source store drapes, which wants --cloth NAME");
    return CLI_USAGE;
  }
  q.lab.db = cli_db_path(q.lab.db);
  q.drapes.origin = q.is_virtual ? CB_VIRTUAL : CB_IMPORTED;
  q.drapes.setup = (fit_drape_setup){q.support_cm / 100, q.specimen_cm / 100, q.scale_mm_per_px / 1000};
  return import_drapes(&q);
}
