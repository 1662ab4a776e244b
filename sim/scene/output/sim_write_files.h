/* The writers of frames, for the player. */
#ifndef SIM_WRITE_FILES_H
#define SIM_WRITE_FILES_H

#include "sim_frame.h"
#include "sim_picture.h"
#include "sim_write.h"

/* Polygon File Format, binary (G. Turk, "The PLY Polygon File Format", 1994): x y z, vx vy vz, pressure,
 * slip, body; faces with vertex_indices and strain_uu ... curvature_uv. */
CB_CHECKED cb_status sim_write_ply(const sim_frame *frame, const char *path, cb_err *err);

/* VTK XML PolyData (.vtp), raw appended data ("VTK File Formats", VTK User's Guide, 11th ed., ch. 19), for
 * ParaView. */
CB_CHECKED cb_status sim_write_vtp(const sim_frame *frame, const char *path, cb_err *err);

/* The surface of a body in a layer, from 0: its vertices have velocity_m_per_s (VTK) and vx vy vz (PLY). */
CB_CHECKED cb_status sim_write_body_ply(const sim_frame *frame, int layer, const char *path, cb_err *err);
CB_CHECKED cb_status sim_write_body_vtp(const sim_frame *frame, int layer, const char *path, cb_err *err);
CB_CHECKED cb_status sim_write_body_obj(const sim_frame *frame, int layer, const char *path, cb_err *err);

/* Surfaces in one file, with `surface`, from 0, of every triangle: VTK and PLY a field, OBJ groups surface0
 * ... In PLY vertices have vx vy vz, 0 where a surface does not tell. */
CB_CHECKED cb_status sim_write_drawn_obj(const sim_drawn *surface, int n, const char *path, cb_err *err);
CB_CHECKED cb_status sim_write_drawn_ply(const sim_drawn *surface, int n, double time_s, const char *path,
                                         cb_err *err);
CB_CHECKED cb_status sim_write_drawn_vtp(const sim_drawn *surface, int n, double time_s, const char *path,
                                         cb_err *err);

#endif
