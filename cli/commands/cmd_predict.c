/* clothbench predict KIND: what a law says, with uncertainty. Reads only. */
#include "cli_kind.h"

int cmd_predict(int argc, char **argv) {
  static const cli_kind kinds[] = {
      {"friction", cli_predict_friction, "friction force at any angle and load"},
      {"self-friction", cli_predict_self_friction,
       "friction force of cloth on cloth, at any two angles and load"},
      {"stretch", cli_predict_stretch, "force per width of a strip at any strain and angle"},
      {"particles", cli_predict_particles, "k and lambda of a particle cloth, from the measured curve"},
      {"permeability", cli_predict_permeability, "air through cloths in series, at any pressure or velocity"},
      {"compression", cli_predict_compression, "the thickness of a cloth's layers under a pressure"},
      {"slide", cli_predict_slide,
       "the pull of a rig in a direction and under a load; --seal keeps it for a later verdict"},
      {"drape", cli_predict_drape,
       "the drape of a cloth, with its band; --seal keeps it for a later verdict"},
      {"bending", cli_predict_bending, "flexural rigidity in any direction, and how far a strip hangs down"},
  };
  return cli_kind_run(argc, argv, kinds, sizeof kinds / sizeof kinds[0]);
}
