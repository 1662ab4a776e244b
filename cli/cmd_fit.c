/* clothbench fit KIND: measurements -> laws. */
#include "cli_kind.h"

int cmd_fit(int argc, char **argv) {
  static const cli_kind kinds[] = {
      {"friction", cli_fit_friction, "the friction law of a pair, from all its runs"},
      {"permeability", cli_fit_permeability, "laws of air permeability, of one cloth or of all that were tested"},
      {"bending", cli_fit_bending, "the law of bending of a cloth, from cantilevers or moment-curvature curves"},
      {"standard", cli_fit_standard, "static and kinetic coefficients of a campaign, by the test standard of its preset"},
      {"stretch", cli_fit_stretch, "load-extension curves of a cloth, moduli, KES figures"},
      {"trace", cli_fit_trace, "what is in one run's record: plateau, stick-slip, strokes; nothing is stored"},
  };
  return cli_kind_run(argc, argv, kinds, sizeof kinds / sizeof kinds[0]);
}
