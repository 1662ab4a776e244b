/* clothbench validate sheet-slide: a sheet on the contact offset of a tilted body. */
#include <math.h>

#include "cli_kind.h"
#include "cli_table.h"
#include "cli_validate.h"

int cli_validate_sheet_slide(int argc, char **argv) {
  static cli_contact_friction contact; /* two laws are large */
  static val_table table;
  contact = (cli_contact_friction)CLI_CONTACT_FRICTION_DEFAULT;
  val_sheet e = val_sheet_default();
  double areal_mass_g_m2 = 150, vertices = 200;
  bool json = false;
  const cli_opt opts[] = {
      CLI_CONTACT_FRICTION_OPTIONS(contact),
      {"areal-mass-g-m2", CLI_NUMBER, &areal_mass_g_m2, "else 150", .min = 0.1, .max = 1e5},
      {"vertices", CLI_NUMBER, &vertices, "of the sheet, about; else 200", .min = 9, .max = 1e6},
      {"dt-s", CLI_NUMBER, &e.dt_s, "step; else 0.002", .min = 1e-6, .max = 0.1},
      {"json", CLI_SWITCH, &json, "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv,
                       "validate sheet-slide " CLI_CONTACT_FRICTION_USAGE
                       " [--areal-mass-g-m2 M] [--vertices N] [--dt-s H] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (!cli_contact_friction_in_order(&contact)) return CLI_USAGE;
  e.vertices = (int)vertices;
  e.areal_density_kg_per_m2 = 1e-3 * areal_mass_g_m2;
  cb_err err = {""};
  table.n = 0;
  bool given = contact.cloth || !isnan(contact.mu) || !isnan(contact.mu_static);
  cb_status st = cli_contact_friction_read(&contact, &e.friction, &err);
  if (!given) e.friction = (sim_friction){.kinetic_law = &val_table_sheet_law};
  if (st == CB_OK) st = val_table_sheet(&table, &e, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  return cli_table_show(&table, "sheet-slide", json);
}
