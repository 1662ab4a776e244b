/* Frames as files for other programs. A file appears whole or not at all; numbers are little-endian, SI,
 * floats but for the positions of VTK (doubles). OBJ: sim_mesh_obj_write (sim_mesh.h).
 *
 * Fields, under these names. Vertices: velocity_m_per_s (3), contact_pressure_Pa, slip_m_per_s, body (from 0;
 * -1: none). Triangles: strain (uu, vv, uv), curvature_per_m (uu, vv, uv). With layers, vertices have
 * air_over_Pa and gap_m as well (sim_frame.h). */
#ifndef SIM_WRITE_H
#define SIM_WRITE_H

#include "sim_picture.h"

/* ParaView's collection of frames over time (.pvd): n file names, as they stand relative to it. */
CB_CHECKED cb_status sim_write_pvd(const double *time_s, const char *const *file, int n, const char *path,
                                   cb_err *err);

#endif
