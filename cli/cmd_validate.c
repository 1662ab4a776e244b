/* clothbench validate EXPERIMENT: prediction against reference, with a verdict. */
#include "cli_kind.h"

int cmd_validate(int argc, char **argv) {
  static const cli_kind experiments[] = {
      {"all", cli_validate_all,
       "every experiment with a reference in closed form: the table of docs/method/validation.md"},
      {"balloon", cli_validate_balloon, "sealed air between a case and a ball that swells: P V = const"},
      {"bounce", cli_validate_bounce,
       "a block on a pillow of air: the more its case lets through, the lower it bounces"},
      {"cantilever", cli_validate_cantilever,
       "a strip that hangs under its own weight, against the heavy elastica"},
      {"capstan", cli_validate_capstan, "a strip over a cylinder: tension against tension"},
      {"chambers", cli_validate_chambers, "two chambers of air, joined by a passage, come to one pressure"},
      {"drape", cli_validate_drape, "drapes from mechanical data, against those that were measured"},
      {"drape-laying", cli_validate_laying,
       "one laying of a cloth given by its lengths: a row of the table that fit drape reads"},
      {"export", cli_validate_export,
       "experiments played in another program: what a cloth's numbers do there"},
      {"incline", cli_validate_incline,
       "a free cloth on a slope: holds, slides, flies as a rigid body would"},
      {"stress-tests", cli_validate_stress_tests,
       "stress tests: crumpled, pinched, through a ring, meshes that are none"},
      {"lateral-buckling", cli_validate_buckling,
       "a strip on edge under its own weight: when it gives way sideways"},
      {"leak", cli_validate_leak, "over-pressure leaks through a permeable case, six decades"},
      {"picture-frame", cli_validate_frame, "pure shear in a hinged frame gives back the shear curve"},
      {"limit-swap", cli_validate_limit_swap,
       "limits of strain, hung from two corners: exchanged, they hang it otherwise"},
      {"sag-particles", cli_validate_sag_particles,
       "particles of nonlinear stiffness, hung from two corners: sag falls with lambda"},
      {"sheet-slide", cli_validate_sheet_slide,
       "a sheet on the contact offset of a tilted body: holds, slides, gives its momentum"},
      {"sled", cli_validate_sled, "a pull of ASTM D1894 on cloth gives back the friction that went in"},
      {"slide", cli_validate_slide, "a measured pull that no law was fitted to, against its simulation"},
      {"stack", cli_validate_stack, "air through a measured stack of cloths, by the laws of the single ones"},
      {"stick-slip", cli_validate_stick_slip, "a strip pushed onto a plane: the friction that holds its tip"},
      {"stretch", cli_validate_stretch,
       "strips in a direction that the law of the other directions predicts"},
      {"strip-tension", cli_validate_tension, "a pulled strip gives back the law of stretch"},
      {"wind", cli_validate_wind, "a closed case in the wind, against a network solved densely"},
  };
  return cli_kind_run(argc, argv, experiments, sizeof experiments / sizeof experiments[0]);
}
