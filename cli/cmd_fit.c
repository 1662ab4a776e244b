/* clothbench fit KIND: measurements -> laws. */
#include "cli_kind.h"

int cmd_fit(int argc, char **argv) {
  static const cli_kind kinds[] = {
      {"friction", cli_fit_friction, "the friction law of a pair, from all its runs"},
      {"bending", cli_fit_bending, "the law of bending of a cloth, from cantilevers or moment-curvature curves"},
      {"standard", cli_fit_standard, "static and kinetic coefficients of a campaign, by the test standard of its preset"},
  };
  return cli_kind_run(argc, argv, kinds, sizeof kinds / sizeof kinds[0]);
}
