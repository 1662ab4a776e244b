#include "sim_model.h"

const sim_model *const sim_models[] = {&sim_particles_model, &sim_curtain_model, &sim_remesh_model, &sim_limit_model, &sim_splash_model, NULL};
