#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cb_bytes.h"
#include "sim_write_files.h"

typedef enum kind { F32, F64, I32 } kind;
static const char *const kind_name[] = {"Float32", "Float64", "Int32"};
static const size_t kind_size[] = {4, 8, 4};

/* One DataArray: its words in the head, its bytes behind, each preceded by their number. */
typedef struct array {
  const char *name;
  kind kind;
  int per_item, components; /* connectivity is one long list to VTK: 3 per triangle, of one component */
  const void *data;         /* doubles or ints; NULL: 3, 6, 9 ... */
} array;

typedef struct section {
  const char *name;
  int n_items, n_arrays;
  array array[6];
} section;

static size_t size_of(const array *a, int items) {
  return kind_size[a->kind] * (size_t)a->per_item * (size_t)items;
}

static void put_head(cb_bytes *b, const section *s, size_t *offset) {
  cb_bytes_text(b, "<%s>\n", s->name);
  for (int k = 0; k < s->n_arrays; k++) {
    const array *a = &s->array[k];
    cb_bytes_text(
        b,
        "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n",
        kind_name[a->kind], a->name, a->components, *offset);
    *offset += sizeof(uint64_t) + size_of(a, s->n_items);
  }
  cb_bytes_text(b, "</%s>\n", s->name);
}

static void put_data(cb_bytes *b, const section *s) {
  for (int k = 0; k < s->n_arrays; k++) {
    const array *a = &s->array[k];
    size_t n = (size_t)a->per_item * (size_t)s->n_items;
    cb_bytes_u64(b, size_of(a, s->n_items));
    if (a->data == NULL)
      for (int i = 1; i <= s->n_items; i++) cb_bytes_u32(b, (uint32_t)(3 * i));
    else if (a->kind == I32)
      cb_bytes_i32(b, a->data, n);
    else if (a->kind == F32)
      cb_bytes_f32(b, a->data, n);
    else
      cb_bytes_f64(b, a->data, n);
  }
}

/* Points and triangles; what is told of them is before. */
static cb_status write_polydata(const section *sections, size_t n_sections, double time_s, const char *path,
                                cb_err *err) {
  cb_bytes b = {0};
  size_t offset = 0;
  cb_bytes_text(
      &b,
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n");
  cb_bytes_text(&b,
                "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                "format=\"ascii\">%.17g</DataArray>\n"
                "</FieldData>\n",
                time_s);
  cb_bytes_text(&b,
                "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                "NumberOfPolys=\"%d\">\n",
                sections[n_sections - 2].n_items, sections[n_sections - 1].n_items);
  for (size_t k = 0; k < n_sections; k++) put_head(&b, &sections[k], &offset);
  cb_bytes_text(&b, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
  for (size_t k = 0; k < n_sections; k++) put_data(&b, &sections[k]);
  cb_bytes_text(&b, "\n</AppendedData>\n</VTKFile>\n");
  return cb_bytes_write(&b, path, err);
}

cb_status sim_write_vtp(const sim_frame *f, const char *path, cb_err *err) {
  int nv = f->mesh->n_vertices, nt = f->mesh->n_triangles;
  const section sections[] = {
      {"PointData",
       nv,
       f->gap_m ? 6 : 4,
       {{"velocity_m_per_s", F32, 3, 3, f->velocity_m_per_s},
        {"contact_pressure_Pa", F32, 1, 1, f->pressure_Pa},
        {"slip_m_per_s", F32, 1, 1, f->slip_m_per_s},
        {"body", I32, 1, 1, f->body},
        {"air_over_Pa", F32, 1, 1, f->air_over_Pa},
        {"gap_m", F32, 1, 1, f->gap_m}}},
      {"CellData",
       nt,
       2,
       {{"strain", F32, 3, 3, f->strain}, {"curvature_per_m", F32, 3, 3, f->curvature_per_m}}},
      {"Points", nv, 1, {{"position_m", F64, 3, 3, f->position_m}}},
      {"Polys", nt, 2, {{"connectivity", I32, 3, 1, f->mesh->triangle}, {"offsets", I32, 1, 1, NULL}}}};
  return write_polydata(sections, sizeof sections / sizeof *sections, f->time_s, path, err);
}

cb_status sim_write_body_vtp(const sim_frame *f, int layer, const char *path, cb_err *err) {
  const sim_frame_body *l = &f->layer[layer];
  const section sections[] = {
      {"PointData", l->n_vertices, 1, {{"velocity_m_per_s", F32, 3, 3, l->velocity_m_per_s}}},
      {"Points", l->n_vertices, 1, {{"position_m", F64, 3, 3, l->position_m}}},
      {"Polys", l->n_triangles, 2, {{"connectivity", I32, 3, 1, l->triangle}, {"offsets", I32, 1, 1, NULL}}}};
  return write_polydata(sections, sizeof sections / sizeof *sections, f->time_s, path, err);
}

/* All of them in one numbering. */
static void gather(const sim_drawn *d, int n, double (*x)[3], int (*triangle)[3], int *of) {
  for (int s = 0, nv = 0, nt = 0; s < n; nv += d[s].n_vertices, nt += d[s].n_triangles, s++) {
    memcpy(x + nv, d[s].position_m, (size_t)d[s].n_vertices * sizeof *x);
    for (int t = 0; t < d[s].n_triangles; t++) {
      of[nt + t] = s;
      for (int k = 0; k < 3; k++) triangle[nt + t][k] = nv + d[s].triangle[t][k];
    }
  }
}

cb_status sim_write_drawn_vtp(const sim_drawn *d, int n, double time_s, const char *path, cb_err *err) {
  int nv = 0, nt = 0;
  for (int s = 0; s < n; s++) nv += d[s].n_vertices, nt += d[s].n_triangles;
  double(*x)[3] = malloc(((size_t)nv + 1) * sizeof *x);
  int(*triangle)[3] = malloc(((size_t)nt + 1) * sizeof *triangle),
  *of = malloc(((size_t)nt + 1) * sizeof *of);
  cb_status st = CB_OK;
  if (x && triangle && of) {
    gather(d, n, x, triangle, of);
    const section sections[] = {
        {"CellData", nt, 1, {{"surface", I32, 1, 1, of}}},
        {"Points", nv, 1, {{"position_m", F64, 3, 3, x}}},
        {"Polys", nt, 2, {{"connectivity", I32, 3, 1, triangle}, {"offsets", I32, 1, 1, NULL}}}};
    st = write_polydata(sections, sizeof sections / sizeof *sections, time_s, path, err);
  } else {
    st = cb_no_memory(err, "%s, %d triangles", path, nt);
  }
  free(x);
  free(triangle);
  free(of);
  return st;
}

/* In an attribute these three cannot stand for themselves. */
static void put_attribute(cb_bytes *b, const char *text) {
  for (; *text; text++) {
    const char *as = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '"' ? "&quot;" : NULL;
    if (as != NULL)
      cb_bytes_text(b, "%s", as);
    else
      cb_bytes_put(b, text, 1);
  }
}

cb_status sim_write_pvd(const double *time_s, const char *const *file, int n, const char *path, cb_err *err) {
  cb_bytes b = {0};
  cb_bytes_text(&b, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n");
  for (int i = 0; i < n; i++) {
    cb_bytes_text(&b, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", time_s[i]);
    put_attribute(&b, file[i]);
    cb_bytes_text(&b, "\"/>\n");
  }
  cb_bytes_text(&b, "</Collection>\n</VTKFile>\n");
  return cb_bytes_write(&b, path, err);
}
