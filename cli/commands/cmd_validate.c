/* clothbench validate EXPERIMENT: prediction against reference, with a verdict. */
#include "cli_kind.h"

int cmd_validate(int argc, char **argv) {
  static const cli_kind experiments[] = {
      {"all", cli_validate_all,
       "experiments with a known answer, or one: balloon, bounce, chambers, lateral-buckling, leak, "
       "limit-swap, loops, "
       "picture-frame, sag-particles, stick-slip, stress-tests, strips, wind, and those below with options"},
      {"cantilever", cli_validate_cantilever,
       "a strip that hangs under its own weight, against the heavy elastica"},
      {"capstan", cli_validate_capstan, "a strip over a cylinder: tension against tension"},
      {"drape", cli_validate_drape, "drapes from mechanical data, against those that were measured"},
      {"drape-laying", cli_validate_laying,
       "one laying of a cloth given by its lengths: a row of the table that fit drape reads"},
      {"export", cli_validate_export,
       "experiments played in another program: what a cloth's numbers do there"},
      {"incline", cli_validate_incline,
       "a free cloth on a slope: holds, slides, flies as a rigid body would"},
      {"sheet-slide", cli_validate_sheet_slide,
       "a sheet on the contact offset of a tilted body: holds, slides, gives its momentum"},
      {"sled", cli_validate_sled, "a pull of ASTM D1894 on cloth gives back the friction that went in"},
      {"slide", cli_validate_slide, "a measured pull that no law was fitted to, against its simulation"},
      {"stack", cli_validate_stack, "air through a measured stack of cloths, by the laws of the single ones"},
      {"stretch", cli_validate_stretch,
       "strips in a direction that the law of the other directions predicts"},
      {"strip-tension", cli_validate_tension, "a pulled strip gives back the law of stretch"},
  };
  return cli_kind_run(argc, argv, experiments, sizeof experiments / sizeof experiments[0]);
}
