/* clothbench validate EXPERIMENT: prediction against reference, with a verdict. */
#include "cli_kind.h"

int cmd_validate(int argc, char **argv) {
  static const cli_kind experiments[] = {
      {"incline", cli_validate_incline, "a free cloth on a slope: holds, slides, flies as a rigid body would"},
      {"sled", cli_validate_sled, "a pull of ASTM D1894 on cloth gives back the friction that went in"},
      {"slide", cli_validate_slide, "a measured pull that no law was fitted to, against its simulation"},
  };
  return cli_kind_run(argc, argv, experiments, sizeof experiments / sizeof experiments[0]);
}
