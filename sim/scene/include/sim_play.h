/* Plays a scene of any model, step by step.
 *
 * The player does what all models share: prescribed motion, time, adaptive steps, probes, pictures, files,
 * checkpoints. Below come functions for all scenes, then those for the main cloth and its layers. */
#ifndef SIM_PLAY_H
#define SIM_PLAY_H

#include "sim_scene.h"
#include "sim_layered.h"

typedef struct sim_play sim_play;

/* Makes the scene at its start. The scene must outlive the play. The caller frees *out with sim_play_free.
 * Errors: CB_E_PARSE, CB_E_RANGE in the model's section. CB_E_IO for a file. CB_E_RANGE for a law that the
 * scene names and nobody set, for a held part without a vertex, and for a case that starts in the contact
 * offset of its body. Those of the model. CB_E_NOMEM. */
CB_CHECKED cb_status sim_play_new(const sim_scene *scene, sim_play **out, cb_err *err);
void sim_play_free(sim_play *play);

/* Returns the model's name, which is the key of its section. */
const char *sim_play_model(const sim_play *play);
double sim_play_time(const sim_play *play); /* [s], from the start of the scene */

/* Number of steps of the whole scene, all of one length; number of steps done, also after loading. */
int sim_play_steps(const sim_play *play);
int sim_play_done(const sim_play *play);

/* Takes one step. Prescribed velocities are those in the middle of the step.
 *
 * An adaptive scene takes a part back and halves it, at most SIM_PLAY_HALVINGS times. It does so where the
 * length of an edge changes by more than SIM_PLAY_STRAIN or a number is not finite. The main cloth without
 * layers also does so where contacts do not agree or several linearisations do not settle. Two halves that
 * change little are joined again. The lengths that are tried depend on the state alone, so a resumed run
 * tries the same. *report sums up the parts; NULL: not wanted. */
#define SIM_PLAY_HALVINGS 4
#define SIM_PLAY_STRAIN 0.02
CB_CHECKED cb_status sim_play_step(sim_play *play, sim_step_report *report, cb_err *err);

/* ---- the table of values ---- */

/* Columns of a row: time_s, the model's columns, then NAME_x_m ... NAME_vz_m_per_s of every probe. A probe
 * follows the point that was nearest to its place at the start: a vertex, a drop of liquid, or a material
 * point of remeshed cloth. */
int sim_play_columns(const sim_play *play);
const char *sim_play_column(const sim_play *play, int column);
void sim_play_row(sim_play *play, double *value); /* writes the present value of every column */
/* Returns the present value of one column; NAN if there is no such column. */
double sim_play_value(sim_play *play, const char *column);

/* ---- surfaces and pictures ---- */

/* Writes the surfaces to out, which has room for SIM_PLAY_SURFACES, and returns their number. They point into
 * the play and are valid until its next call. */
#define SIM_PLAY_SURFACES (SIM_SCENE_SHEETS + 2 * SIM_SCENE_LAYERS + 1)
int sim_play_surfaces(sim_play *play, sim_drawn *out);
/* Writes likewise what pictures show, and its number to *n: of a liquid its skin. Errors: those of the skin.
 */
CB_CHECKED cb_status sim_play_shown(sim_play *play, sim_drawn *out, int *n, cb_err *err);
/* Returns the number of vertices that a step computes: of the cloth and the bodies in layers; for other
 * models, of all surfaces. */
int sim_play_vertices(sim_play *play);

/* Returns the scene's n_bodies where they are now. They belong to the play. */
const sim_body *sim_play_bodies(const sim_play *play);

/* Draws the present state as a PNG file. Errors: those of sim_picture.h. */
CB_CHECKED cb_status sim_play_picture(sim_play *play, const char *path, cb_err *err);

/* Files of the present state for other programs. The main cloth has one file, and one more for every body in
 * layers. Other models have one file with all surfaces. sim_play_file writes the file's name without number
 * and ending: "frame", "body1", ... `file` counts from 0. */
typedef enum sim_play_format { SIM_PLAY_OBJ, SIM_PLAY_PLY, SIM_PLAY_VTP } sim_play_format;
#define SIM_PLAY_FILE_BYTES 32
int sim_play_files(const sim_play *play);
void sim_play_file(int file, char name[SIM_PLAY_FILE_BYTES]);
CB_CHECKED cb_status sim_play_write(sim_play *play, int file, sim_play_format format, const char *path,
                                    cb_err *err);

/* ---- a hand ---- */

/* Takes hold of the cloth where it is nearest to the line from eye_m along `ray` (of any length > 0), and
 * writes the place. A spring pulls there from the next step on. Returns false for a model without a hand;
 * `curtain` has one. */
bool sim_play_grab(sim_play *play, const double eye_m[3], const double ray[3], double at_m[3]);
/* Moves the other end of the spring. NULL: lets go. Only after sim_play_grab. */
void sim_play_pull(sim_play *play, const double target_m[3]);

/* ---- checkpoints ---- */

/* Save and load the state. A loaded run continues with the same bits. The file is written whole or not at
 * all. It holds, little-endian:
 *
 *     "CBSCENE" 0
 *     u32 version
 *     u64 hash of the scene: bodies, gravity, and the model's section (held parts, material, mesh, method)
 *     u32 length of the model's name, and the name
 *     the player's clock and bodies, and the model's state
 *     u32 CRC-32 of all before
 *
 * Loading errors: CB_E_PARSE for a damaged file or another version, CB_E_RANGE for another model or scene.
 * The play is then unchanged, except if CB_E_NOMEM prevented its restoration: the caller frees it then. */
CB_CHECKED cb_status sim_play_save(sim_play *play, const char *path, cb_err *err);
CB_CHECKED cb_status sim_play_load(sim_play *play, const char *path, cb_err *err);

/* ---- the main cloth and its layers ---- */

/* Return NULL for another model. */
const sim_mesh *sim_play_mesh(const sim_play *play);
sim_cloth *sim_play_cloth(const sim_play *play);

/* A body in a layer: its surface, and the range of the cloth's vertices that meet it. */
typedef struct sim_play_layer {
  const double (*position_m)[3], (*velocity_m_per_s)[3];
  const int (*triangle)[3];
  int n_vertices, n_triangles, n_tets, first_met, n_met;
  double contact_offset_m;
  sim_layered_contacts contacts;
} sim_play_layer;
sim_play_layer sim_play_layer_of(const sim_play *play, int layer);

#endif
