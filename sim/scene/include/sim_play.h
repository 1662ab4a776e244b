/* The one player: a scene of any model, made and moved step by step.
 *
 * It does what all models have in common: bodies that move as told, time, adaptive steps, probes, pictures,
 * files, checkpoints. Below are functions for all scenes, then those of the main cloth and its layers. */
#ifndef SIM_PLAY_H
#define SIM_PLAY_H

#include "sim_scene.h"
#include "sim_layered.h"

typedef struct sim_play sim_play;

/* Errors: what is wrong in the model's section, files that cannot be read, laws that are named but not there,
 * grips that hold no vertex, a case that starts in its body's contact offset, and what the model refuses. The
 * scene must outlive it. Caller frees with sim_play_free. */
CB_CHECKED cb_status sim_play_new(const sim_scene *scene, sim_play **out, cb_err *err);
void sim_play_free(sim_play *play);

const char *sim_play_model(const sim_play *play); /* its name: the key of its section */
double sim_play_time(const sim_play *play);

/* Steps of the whole scene, all of one length; how many lie behind, also after a state was loaded. */
int sim_play_steps(const sim_play *play);
int sim_play_done(const sim_play *play);

/* Sets the velocities of bodies and grips that hold in the middle of the step, then takes it.
 *
 * An adaptive scene takes a part back and halves it, at most SIM_PLAY_HALVINGS times. It does so where the
 * length of an edge changes by more than SIM_PLAY_STRAIN or a number is not finite. The main cloth without
 * layers also does so where contacts do not agree or several linearisations do not settle. Two halves that
 * change little are joined again. The lengths that are tried depend on the state alone, so a resumed run
 * tries the same. *report sums up the parts; NULL: not wanted. */
#define SIM_PLAY_HALVINGS 4
#define SIM_PLAY_STRAIN 0.02
CB_CHECKED cb_status sim_play_step(sim_play *play, sim_step_report *report, cb_err *err);

/* ---- what is written down ---- */

/* A row per step: time_s, the model's columns, then of every probe NAME_x_m ... NAME_vz_m_per_s. A probe
 * follows what was nearest to its place at the start: a vertex, a drop of liquid, or a place of cloth that is
 * remeshed. */
int sim_play_columns(const sim_play *play);
const char *sim_play_column(const sim_play *play, int column);
void sim_play_row(sim_play *play, double *value); /* one for each column, as they are now */
/* Of one column, now; NAN: there is none of that name. */
double sim_play_value(sim_play *play, const char *column);

/* ---- what is seen ---- */

/* At most SIM_PLAY_SURFACES. Returns how many; what they point to holds until the next call. */
#define SIM_PLAY_SURFACES (SIM_SCENE_SHEETS + 2 * SIM_SCENE_LAYERS + 1)
int sim_play_surfaces(sim_play *play, sim_drawn *out);
/* Of the cloth and of bodies in layers; of other models, of all surfaces: how much a step computes. */
int sim_play_vertices(sim_play *play);

/* What is seen now, as a PNG file. */
CB_CHECKED cb_status sim_play_picture(sim_play *play, const char *path, cb_err *err);

/* What is there now, as files for other programs (sim_write.h). Of the main cloth the first file is the
 * cloth, and of layers each body has one of its own behind; of other models one has all surfaces.
 * sim_play_file: its name without number and ending, "frame" or "body1" ... */
typedef enum sim_play_format { SIM_PLAY_OBJ, SIM_PLAY_PLY, SIM_PLAY_VTP } sim_play_format;
#define SIM_PLAY_FILE_BYTES 32
int sim_play_files(const sim_play *play);
void sim_play_file(int file, char name[SIM_PLAY_FILE_BYTES]);
CB_CHECKED cb_status sim_play_write(sim_play *play, int file, sim_play_format format, const char *path,
                                    cb_err *err);

/* ---- the state ---- */

/* As a file, from which a run goes on to the bit: "CBSCENE" 0, u32 version, u64 hash of the scene (bodies,
 * gravity, the model's section: what is held, material, mesh, method), u32 length of the model's name, that,
 * the player's clock and bodies, the model's state, u32 CRC-32 of all before. Little-endian. The file appears
 * whole or not at all.
 *
 * Loading fails, with the play as it was, on a file that is damaged, of another version, another model or
 * another scene. (Only where memory is short to put back what a wrong state has changed is the play to be
 * freed.) name: of the file, for the sentence. */
CB_CHECKED cb_status sim_play_save(sim_play *play, const char *path, cb_err *err);
CB_CHECKED cb_status sim_play_load(sim_play *play, const char *path, cb_err *err);

/* ---- scenes of the main cloth, with and without layers; the rest of this file is theirs alone ---- */

/* NULL where another model plays. */
const sim_mesh *sim_play_mesh(const sim_play *play);
sim_cloth *sim_play_cloth(const sim_play *play);

/* A body in a layer: its surface, the cloth's vertices that meet it, its vertices' mean. */
typedef struct sim_play_layer {
  const double (*position_m)[3], (*velocity_m_per_s)[3];
  const int (*triangle)[3];
  int n_vertices, n_triangles, n_tets, first_met, n_met;
  double contact_offset_m;
} sim_play_layer;
sim_play_layer sim_play_layer_of(const sim_play *play, int layer);

#endif
