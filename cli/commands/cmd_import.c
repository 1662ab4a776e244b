/* clothbench import KIND: foreign tables into the database. */
#include <stdio.h>
#include <string.h>

#include "cb_nearest.h"
#include "cli_import.h"
#include "cli_kind.h"

static const char usage[] =
    "import KIND --mapping MAP.yaml FILE.csv [--db FILE] [--json]; import material|elasticity|drape|fab "
    "...;\n"
    "  import [KIND] --guess FILE.csv [--out MAP.yaml] writes a mapping for a person to check\n"
    "  friction        runs of a cloth on a body\n"
    "  release         angles of release of a sled on a slope, to be compared with a static law\n"
    "  incline         slides down a slope: acceleration, or distance over time; for a kinetic law\n"
    "  trace           one run as it was logged: force and motion over time\n"
    "  permeability    air flow against pressure\n"
    "  stretch         force against extension\n"
    "  cantilever      overhang against angle\n"
    "  bending-moment  moment against curvature\n"
    "  shear           shear force against shear angle\n"
    "  compression     thickness against pressure\n"
    "  buckling        force of a buckled strip against the approach of its clamps\n"
    "  kes             summary figures of a KES-F sheet, a row for every cloth\n"
    "  material        a material with its laws, from a file of another laboratory or program\n"
    "  elasticity      density, Young's modulus, Poisson's ratio of a body, no file\n"
    "  drape           silhouettes and scans of draped cloth, no mapping\n"
    "  fab             raw data of a FAB: stretched and buckled strips, no mapping";

static int refuse_kind(const char *word) {
  static const char *const kinds[] = {"friction",     "release",  "incline",    "trace",
                                      "permeability", "stretch",  "cantilever", "shear",
                                      "compression",  "kes",      "elasticity", "bending-moment",
                                      "drape",        "material", "fab",        "buckling"};
  const int meant = cb_nearest(word, kinds, sizeof kinds / sizeof kinds[0]);
  cli_say("import",
          "'%s':%s%s%s friction, release, incline, trace, permeability, stretch, cantilever, bending-moment, "
          "shear, compression, buckling, kes, material, elasticity, drape or fab was wanted",
          word, meant >= 0 ? " did you mean '" : "", meant >= 0 ? kinds[meant] : "", meant >= 0 ? "'?" : "");
  return CLI_USAGE;
}

int cmd_import(int argc, char **argv) {
  static const cli_kind own[] = {{"material", cli_import_material, ""},
                                 {"elasticity", cli_import_elasticity, ""},
                                 {"drape", cli_import_drape, ""},
                                 {"fab", cli_import_fab, ""}};
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--guess") == 0 || strncmp(argv[i], "--guess=", 8) == 0)
      return cli_import_guess(argc, argv);
  const bool help = argc > 1 && strcmp(argv[1], "--help") == 0;
  for (size_t i = 0; i < sizeof own / sizeof own[0] && argc > 1; i++) {
    if (strcmp(argv[1], own[i].name) != 0) continue;
    argv[1] = argv[0];
    return own[i].run(argc - 1, argv + 1);
  }
  cli_import q = {0};
  const char *words[2] = {NULL};
  const cli_opt opts[] = {
      {"mapping", CLI_TEXT, &q.mapping, "YAML file: columns, units, conditions", .required = true},
      {"motion", CLI_TEXT, &q.motion, "trace: the motion, where another device logged it"},
      {"motion-mapping", CLI_TEXT, &q.motion_mapping, "trace: YAML file of the motion"},
      {"db", CLI_TEXT, &q.db, "the database file; made if it does not exist"},
      {"new", CLI_SWITCH, &q.new_names, CLI_NEW_HELP},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], words, 2, 2, NULL);
  if (help) return cli_kind_help("import", own, sizeof own / sizeof own[0]);
  if (stop >= 0) return stop;
  q.file = words[1];
  q.db = cli_db_path(q.db);
  bool trace = strcmp(words[0], "trace") == 0;
  if (!q.motion != !q.motion_mapping || (q.motion && !trace)) {
    cli_say("import", "--motion and --motion-mapping belong together, and to 'import trace'");
    return CLI_USAGE;
  }
  if (trace) return cli_import_trace(&q);
  if (strcmp(words[0], "friction") == 0) return cli_import_friction(&q);
  if (strcmp(words[0], "kes") == 0) return cli_import_kes(&q);
  for (int kind = 0; fit_incline_kind_names[kind]; kind++)
    if (strcmp(words[0], fit_incline_kind_names[kind]) == 0)
      return cli_import_incline(&q, (fit_incline_kind)kind);
  for (int kind = 0; cb_test_kind_names[kind]; kind++)
    if (strcmp(words[0], cb_test_kind_names[kind]) == 0) return cli_import_test(&q, (cb_test_kind)kind);
  return refuse_kind(words[0]);
}
