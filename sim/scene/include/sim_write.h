/* Frames as files for other programs. A file appears whole or not at all; numbers are little-endian, SI,
 * floats but for the positions of VTK (doubles). OBJ: sim_mesh_obj_write (sim_mesh.h).
 *
 * Fields, under these names. Vertices: velocity_m_per_s (3), contact_pressure_Pa, slip_m_per_s, body (from 0;
 * -1: none). Triangles: strain (uu, vv, uv), curvature_per_m (uu, vv, uv). With layers, vertices have
 * air_over_Pa and gap_m as well (sim_frame.h). */
#ifndef SIM_WRITE_H
#define SIM_WRITE_H

#include "sim_picture.h"

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

/* ParaView's collection of frames over time (.pvd): n file names, as they stand relative to it. */
CB_CHECKED cb_status sim_write_pvd(const double *time_s, const char *const *file, int n, const char *path,
                                   cb_err *err);

#endif
