/* Writers of frames, for the player. All errors are those of writing a file (cb_out.h), and memory. */
#ifndef SIM_WRITE_FILES_H
#define SIM_WRITE_FILES_H

#include "sim_frame.h"
#include "sim_picture.h"
#include "sim_write.h"

/* Writes a frame in the Polygon File Format, binary (G. Turk, "The PLY Polygon File Format", 1994). Vertices
 * have x y z, vx vy vz, pressure, slip, body; faces have vertex_indices and strain_uu ... curvature_uv. */
CB_CHECKED cb_status sim_write_ply(const sim_frame *frame, const char *path, cb_err *err);

/* Writes a frame as VTK XML PolyData (.vtp) with raw appended data ("VTK File Formats", VTK User's Guide,
 * 11th ed., ch. 19), for ParaView. */
CB_CHECKED cb_status sim_write_vtp(const sim_frame *frame, const char *path, cb_err *err);

/* Write the surface of the body in a layer (from 0). Vertices have velocity_m_per_s (VTK) or vx vy vz
 * (PLY). */
CB_CHECKED cb_status sim_write_body_ply(const sim_frame *frame, int layer, const char *path, cb_err *err);
CB_CHECKED cb_status sim_write_body_vtp(const sim_frame *frame, int layer, const char *path, cb_err *err);
CB_CHECKED cb_status sim_write_body_obj(const sim_frame *frame, int layer, const char *path, cb_err *err);

/* Write n surfaces in one file. Every triangle has `surface`, from 0: a field in VTK and PLY, groups
 * surface0 ... in OBJ. In PLY, vertices have vx vy vz, 0 where a surface has no velocities. */
CB_CHECKED cb_status sim_write_drawn_obj(const sim_drawn *surface, int n, const char *path, cb_err *err);
CB_CHECKED cb_status sim_write_drawn_ply(const sim_drawn *surface, int n, double time_s, const char *path,
                                         cb_err *err);
CB_CHECKED cb_status sim_write_drawn_vtp(const sim_drawn *surface, int n, double time_s, const char *path,
                                         cb_err *err);

#endif
