/* clothbench import KIND: foreign tables into the database. */
#include <stdio.h>
#include <string.h>

#include "cb_text.h"
#include "cb_material_test.h"
#include "cli_import.h"

static const cli_kind kinds[] = {
    {"friction", NULL, "runs of a cloth on a body", NULL, cli_import_friction},
    {"release", NULL, "angles of release of a sled on a slope, to be compared with a static law", NULL,
     cli_import_incline, .which = FIT_INCLINE_RELEASE},
    {"incline", NULL, "slides down a slope: acceleration, or distance over time; for a kinetic law", NULL,
     cli_import_incline, .which = FIT_INCLINE_SLIDE},
    {"trace", NULL, "one run as it was logged: force and motion over time", NULL, cli_import_trace},
    {"permeability", NULL, "air flow against pressure", NULL, cli_import_test, .which = CB_TEST_PERMEABILITY},
    {"stretch", NULL, "force against extension", NULL, cli_import_test, .which = CB_TEST_STRETCH},
    {"cantilever", NULL, "overhang against angle", NULL, cli_import_test, .which = CB_TEST_CANTILEVER},
    {"bending-moment", NULL, "moment against curvature", NULL, cli_import_test,
     .which = CB_TEST_BENDING_MOMENT},
    {"shear", NULL, "shear force against shear angle", NULL, cli_import_test, .which = CB_TEST_SHEAR},
    {"compression", NULL, "thickness against pressure", NULL, cli_import_test, .which = CB_TEST_COMPRESSION},
    {"buckling", NULL, "force of a buckled strip against the approach of its clamps", NULL, cli_import_test,
     .which = CB_TEST_BUCKLING},
    {"kes", NULL, "summary figures of a KES-F sheet, a row for every cloth", NULL, cli_import_kes},
    {"material", cli_import_material,
     "a material with its laws, from a file of another laboratory or program"},
    {"elasticity", cli_import_elasticity, "density, Young's modulus, Poisson's ratio of a body, no file"},
    {"drape", cli_import_drape, "silhouettes and scans of draped cloth, no mapping"},
    {"fab", cli_import_fab, "raw data of a FAB: stretched and buckled strips, no mapping"},
};
#define N_KINDS (sizeof kinds / sizeof kinds[0])
#define USAGE_BYTES 2000

static void write_usage(char out[USAGE_BYTES]) {
  (void)snprintf(out, USAGE_BYTES,
                 "import KIND --mapping MAP.yaml FILE.csv [--db FILE] [--json];\n"
                 "  import [KIND] --guess FILE.csv [--out MAP.yaml] writes a mapping for a person to check");
  cli_kind_add_lines(kinds, N_KINDS, out, USAGE_BYTES);
}

static bool guesses(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--guess") == 0 || strncmp(argv[i], "--guess=", 8) == 0) return true;
  return false;
}

int cmd_import(int argc, char **argv) {
  cli_import q = {.lab.ask = cli_name_question()};
  const char *words[2] = {NULL};
  char usage[USAGE_BYTES];
  const cli_opt opts[] = {
      {"mapping", CLI_TEXT, &q.lab.mapping, "YAML file: columns, units, conditions", .required = true},
      {"motion", CLI_TEXT, &q.lab.motion, "trace: the motion, where another device logged it"},
      {"motion-mapping", CLI_TEXT, &q.lab.motion_mapping, "trace: YAML file of the motion"},
      {"db", CLI_TEXT, &q.lab.db, "the database file; made if it does not exist"},
      {"new", CLI_SWITCH, &q.lab.new_names, CLI_NEW_HELP},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  if (guesses(argc, argv)) return cli_import_guess(argc, argv);
  const bool help = argc > 1 && strcmp(argv[1], "--help") == 0;
  int stop = cli_kind_run_own(argc, argv, kinds, N_KINDS);
  if (stop >= 0) return stop;
  write_usage(usage);
  stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], words, 2, 2, NULL);
  if (help) return cli_kind_help("import", kinds, N_KINDS);
  if (stop >= 0) return stop;
  const cli_kind *kind = cli_kind_find(kinds, N_KINDS, words[0]);
  if (!q.lab.motion != !q.lab.motion_mapping || (q.lab.motion && (!kind || kind->obey != cli_import_trace))) {
    cli_say("import", "--motion and --motion-mapping belong together, and to 'import trace'");
    return CLI_USAGE;
  }
  if (!kind || kind->run) return cli_kind_refuse_name("import", words[0], kinds, N_KINDS);
  q.lab.file = words[1];
  q.lab.db = cli_db_path(q.lab.db);
  q.which = kind->which;
  return kind->obey(&q);
}
