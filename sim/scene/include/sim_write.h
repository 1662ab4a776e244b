/* Files of frames for other programs. A file appears whole or not at all. Numbers are little-endian and SI.
 * They are floats, except for the positions of VTK (doubles). For OBJ files of a mesh see sim_mesh_obj_write
 * (sim_mesh.h).
 *
 * Fields of a vertex: velocity_m_per_s (3), contact_pressure_Pa, slip_m_per_s, body (from 0; -1: none).
 * Fields of a triangle: strain (uu, vv, uv), curvature_per_m (uu, vv, uv). With layers, vertices also have
 * air_over_Pa and gap_m (sim_frame.h). */
#ifndef SIM_WRITE_H
#define SIM_WRITE_H

#include "sim_picture.h"

/* Writes ParaView's collection of frames over time (.pvd) with n times and file names. Names are relative to
 * the collection. Errors: those of writing a file; memory. */
CB_CHECKED cb_status sim_write_pvd(const double *time_s, const char *const *file, int n, const char *path,
                                   cb_err *err);

#endif
