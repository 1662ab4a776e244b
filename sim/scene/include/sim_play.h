/* A scene that runs: its mesh, bodies and grips made, and moved step by step. */
#ifndef SIM_PLAY_H
#define SIM_PLAY_H

#include "sim_frame.h"
#include "sim_probe.h"
#include "sim_scene.h"
#include "sim_three.h"

typedef struct sim_play sim_play;

/* Errors: files that cannot be read, laws that are named but not there, grips that hold no vertex, a case that starts in its body's buffer,
 * and what sim_cloth_new and sim_three_new refuse. The scene must outlive it. Caller frees with sim_play_free. */
CB_CHECKED cb_status sim_play_new(const sim_scene *scene, sim_play **out, cb_err *err);
void sim_play_free(sim_play *play);

const sim_scene *sim_play_scene(const sim_play *play);
const sim_mesh *sim_play_mesh(const sim_play *play);
sim_cloth *sim_play_cloth(const sim_play *play);
/* NULL where the scene has no layers; of the last step, its parts summed up. */
sim_three *sim_play_three(const sim_play *play);
const sim_three_report *sim_play_three_report(const sim_play *play);

/* Of the cloth and of the bodies in layers. */
int sim_play_vertices(const sim_play *play);

/* Sheets and cases in their order, as runs of the mesh; layer: whose case, -1: a sheet. */
typedef struct sim_play_part {
  int layer, first_vertex, n_vertices, first_triangle, n_triangles;
} sim_play_part;
int sim_play_parts(const sim_play *play);
sim_play_part sim_play_part_of(const sim_play *play, int part);

/* A body in a layer: its surface, the cloth's vertices that meet it, its vertices' mean. */
typedef struct sim_play_layer {
  const double (*position_m)[3], (*velocity_m_per_s)[3];
  const int (*triangle)[3];
  int n_vertices, n_triangles, n_tets, first_met, n_met;
  double buffer_m;
} sim_play_layer;
sim_play_layer sim_play_layer_of(const sim_play *play, int layer);

/* Steps of the whole scene, all of one length; how many lie behind, also after a state was loaded. */
int sim_play_steps(const sim_play *play);
int sim_play_done(const sim_play *play);

/* Sets the velocities of bodies and grips that hold in the middle of the step, then takes it.
 *
 * An adaptive scene divides it: into halves, as often as SIM_PLAY_HALVINGS, where contacts do not agree, several linearisations do not
 * settle, an edge's strain changes by more than SIM_PLAY_STRAIN, or a number is not finite; such a part is taken back first. Halves that
 * go easily are joined again. Which lengths are tried depends on the state alone, so that a run that was resumed takes the same. *report
 * sums them up. */
#define SIM_PLAY_HALVINGS 4
#define SIM_PLAY_STRAIN 0.02
CB_CHECKED cb_status sim_play_step(sim_play *play, sim_step_report *report, cb_err *err);

/* The whole state as a file, from which a run goes on to the bit: of a scene without layers that of sim_cloth_checkpoint. With them:
 * "CBTHREE" 0, u32 version, u64 hash of the layers, u64 bytes of the cloth's checkpoint, that, what sim_three_state_take tells beyond the
 * cloth, as it lies in this machine's memory, u32 CRC-32 of all before. Little-endian. Loading fails, with the play as it was, on a file
 * that is damaged, of another version or another scene. */
CB_CHECKED cb_status sim_play_save(const sim_play *play, const char *path, cb_err *err);
CB_CHECKED cb_status sim_play_load(sim_play *play, const char *path, cb_err *err);
CB_CHECKED cb_status sim_play_restore(sim_play *play, const unsigned char *data, size_t n, const char *name, cb_err *err);

/* Of every layer, for probes.csv: bodyN_x_m ... bodyN_vz_m_per_s, its centre of mass (of a rigid one, the mean of its vertices); with air
 * airN_over_Pa, the mean pressure by area over the ambient, and airN_J, the amount. Columns once, before the first row; then behind every
 * row. */
void sim_play_columns(const sim_play *play, sim_track *track);
void sim_play_row(const sim_play *play, sim_track *track);

/* Of the air of a layer: all of it [J], and its mean pressure by area over the ambient; 0 without. */
typedef struct sim_play_air {
  double amount_J, over_Pa;
} sim_play_air;
sim_play_air sim_play_air_of(const sim_play *play, int layer);

/* Vertices that are inside of the layer's body now, looked for anew among all its triangles; *least_m: the smallest distance. */
CB_CHECKED cb_status sim_play_inside(const sim_play *play, int layer, int *inside, double *least_m, cb_err *err);

/* Cloth and layers as they are now, into a frame of the play's mesh that sim_play_frame_init made. */
CB_CHECKED cb_status sim_play_frame_init(const sim_play *play, sim_frame *out, cb_err *err);
void sim_play_frame(const sim_play *play, sim_frame *frame);

#endif
