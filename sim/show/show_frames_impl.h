/* The bytes of frames.show, shared by its writer and its reader. All numbers are little-endian.
 *
 * The file: "CBSHOW" 0 0, u32 version, u32 length of about, u32 CRC-32 of about, about. Then frames: "FRAM",
 * u32 packed bytes, u32 plain bytes, u32 CRC-32 of the packed bytes, the packed bytes (zstd).
 *
 * A plain frame: f64 time, u32 surfaces. A surface: name, u32 flags, 3 f32 colour, u32 vertices, u32
 * triangles, u32 channels, u32 frame that has the triangles, u64 hash of the triangles; the triangles if that
 * frame is this one; the positions as f32; per channel its name, its unit and one f32 per vertex. */
#ifndef SHOW_FRAMES_IMPL_H
#define SHOW_FRAMES_IMPL_H

#include <stddef.h>
#include <stdint.h>

#include "show_frames.h"
#include "show_run.h"

#define SHOW_VERSION 1
#define SHOW_HEAD 20
#define SHOW_FRAME_HEAD 16
#define SHOW_SURFACE_HEAD (SHOW_NAME_BYTES + 40)
#define SHOW_MOST_BYTES ((size_t)1 << 30) /* of a frame */
#define SHOW_MOST_FRAMES (1 << 20)

enum { SHOW_CLOTH = 1, SHOW_GROUND = 2 };

extern const unsigned char show_magic[8], show_frame_magic[4];

/* A file as found: where its frames begin, and how much of it is whole. */
typedef struct show_index {
  int fd, n;
  int64_t *at; /* n; owned */
  int64_t end; /* behind the last whole frame */
  char *about; /* owned */
} show_index;

/* The head of a surface within the bytes of a frame. */
typedef struct show_head {
  char name[SHOW_NAME_BYTES];
  uint32_t flags, n_vertices, n_triangles, n_channels, triangles_in;
  float colour[3];
  uint64_t hash;
} show_head;

/* Opens the file and finds its frames. Clear *out even after a failure. */
CB_CHECKED cb_status show_index_open(const char *path, int flags, show_index *out, cb_err *err);
void show_index_clear(show_index *x);
/* Reads and unpacks frame k. The caller frees *plain. */
CB_CHECKED cb_status show_index_unpack(const show_index *x, int k, const char *path, unsigned char **plain,
                                       size_t *n, cb_err *err);

uint32_t show_get_u32(const unsigned char *at);
uint64_t show_get_u64(const unsigned char *at);
/* Reads a surface's head; *at moves behind the surface. Returns what is wrong, or NULL. frame: its number.
 * *body: behind the head. */
const char *show_get_head(const unsigned char *plain, size_t n, size_t *at, int frame, show_head *out,
                          const unsigned char **body);

/* Frames of a scene that plays: its cloth, liquids and bodies, as pictures show them. */

/* Makes a frame of the present state. A plane becomes a square with `ground` set. Surfaces have only the
 * vertices that their triangles use.
 *
 * Channels of the main cloth: "warp strain" and "weft strain" (Green-Lagrange), "mean curvature" [1/m],
 * "contact pressure" [Pa] of rigid bodies, each the mean over the triangles around a vertex or its own value.
 * Every surface whose model knows velocities has "speed" [m/s]. The caller clears *out, also after an error.
 * Error: CB_E_NOMEM; those of the skin of a liquid. */
CB_CHECKED cb_status show_frame_of(sim_play *play, const show_stage *stage, show_frame *out, cb_err *err);

#endif
