/* clothbench validate sheet-slide: a sheet on the buffer of a tilted body. */
#include <math.h>

#include "cli_kind.h"
#include "cli_table.h"
#include "cli_validate.h"

int cli_validate_sheet_slide(int argc, char **argv) {
  static cli_contact_friction rubbing; /* two laws are large */
  static val_table table;
  rubbing = (cli_contact_friction)CLI_CONTACT_FRICTION_DEFAULT;
  val_sheet e = val_sheet_default();
  double areal_mass_g_m2 = 150, vertices = 200;
  bool json = false;
  const cli_opt opts[] = {
      CLI_CONTACT_FRICTION_OPTIONS(rubbing),
      {.name = "areal-mass-g-m2", .kind = CLI_NUMBER, .value = &areal_mass_g_m2, .min = 0.1, .max = 1e5, .help = "else 150"},
      {.name = "vertices", .kind = CLI_NUMBER, .value = &vertices, .min = 9, .max = 1e6, .help = "of the sheet, about; else 200"},
      {.name = "dt-s", .kind = CLI_NUMBER, .value = &e.dt_s, .min = 1e-6, .max = 0.1, .help = "step; else 0.002"},
      {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, "validate sheet-slide " CLI_CONTACT_FRICTION_USAGE " [--areal-mass-g-m2 M] [--vertices N] [--dt-s H] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (!cli_contact_friction_in_order(&rubbing)) return CLI_USAGE;
  e.vertices = (int)vertices;
  e.areal_density_kg_per_m2 = 1e-3 * areal_mass_g_m2;
  cb_err err = {""};
  table.n = 0;
  bool told = rubbing.cloth || !isnan(rubbing.mu) || !isnan(rubbing.mu_static);
  cb_status st = cli_contact_friction_read(&rubbing, &e.friction, &err);
  if (!told) e.friction = (sim_friction){.kinetic_law = &val_table_sheet_law};
  if (st == CB_OK) st = val_table_sheet(&table, &e, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  return cli_table_show(&table, "sheet-slide", json);
}
