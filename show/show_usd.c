/* A run as OpenUSD text (.usda): a Mesh per surface, with its points in every frame, and the cloth's material
 * by the deformable schema that the physics working group of OpenUSD proposes
 * (PhysicsDeformableMaterialAPI, PhysicsSurfaceDeformableMaterialAPI). Metres, kilograms, z up; a time code
 * is a frame. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_bytes.h"
#include "cb_version.h"
#include "show_scene.h"

/* ---- the material ---- */

static double number_at(const json_t *o, const char *key) {
  const json_t *value = json_object_get(o, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

/* The first slope of a curve [N/m]; NAN without one. */
static double slope_of(const json_t *cloth, const char *axis) {
  const json_t *curve = json_object_get(cloth, axis);
  const double x = json_number_value(json_array_get(json_object_get(curve, "green_strain"), 1)),
               y = json_number_value(json_array_get(json_object_get(curve, "stress_N_per_m"), 1));
  return x > 0 ? y / x : NAN;
}

static void put_attribute(cb_bytes *b, const char *name, double value) {
  if (isfinite(value)) cb_bytes_text(b, "    float physics:%s = %.9g\n", name, value);
}

/* One number for both directions, as the schema has it: the geometric mean. */
static void put_material(cb_bytes *b, const char *about) {
  json_error_t why;
  json_t *doc = json_loads(about, 0, &why),
         *cloth = json_object_get(json_object_get(doc, "materials"), "cloth"),
         *bending = json_object_get(cloth, "bending_Nm");
  if (json_is_object(cloth)) {
    const double thickness_m = number_at(cloth, "thickness_mm") / 1e3;
    const double B[2] = {json_number_value(json_array_get(json_array_get(bending, 0), 0)),
                         json_number_value(json_array_get(json_array_get(bending, 1), 1))};
    cb_bytes_text(
        b,
        "  def Material \"ClothMaterial\" (\n    prepend apiSchemas = [\"PhysicsDeformableMaterialAPI\", "
        "\"PhysicsSurfaceDeformableMaterialAPI\"]\n  )\n  {\n");
    if (thickness_m > 0)
      put_attribute(b, "density", number_at(cloth, "areal_density_g_per_m2") / 1e3 / thickness_m);
    put_attribute(b, "surfaceStretchStiffness", sqrt(slope_of(cloth, "warp") * slope_of(cloth, "weft")));
    put_attribute(b, "surfaceShearStiffness", slope_of(cloth, "shear"));
    put_attribute(b, "surfaceBendStiffness", sqrt(B[0] * B[1]));
    if (isfinite(thickness_m))
      cb_bytes_text(b, "    custom float clothbench:thickness_m = %.9g\n", thickness_m);
    cb_bytes_text(b, "  }\n\n");
  }
  json_decref(doc);
}

/* ---- the surfaces ---- */

static void put_points(cb_bytes *b, const show_surface *s) {
  for (int i = 0; i < s->n_vertices; i++)
    cb_bytes_text(b, "%s(%.9g, %.9g, %.9g)", i ? ", " : "[", (double)s->position_m[i][0],
                  (double)s->position_m[i][1], (double)s->position_m[i][2]);
  cb_bytes_text(b, "]");
}

static void put_counts(cb_bytes *b, const show_surface *s) {
  for (int t = 0; t < s->n_triangles; t++) cb_bytes_text(b, "%s3", t ? ", " : "[");
  cb_bytes_text(b, "]");
}

static void put_corners(cb_bytes *b, const show_surface *s) {
  for (int t = 0; t < s->n_triangles; t++)
    cb_bytes_text(b, "%s%d, %d, %d", t ? ", " : "[", s->triangle[t][0], s->triangle[t][1], s->triangle[t][2]);
  cb_bytes_text(b, "]");
}

/* An attribute as it is at first, for readers that play nothing, and its samples over the frames: every
 * frame, or those in which the triangles change. */
static cb_status put_samples(cb_bytes *b, show_frames *f, const char *name, const char *attribute,
                             void (*put)(cb_bytes *, const show_surface *), bool every, cb_err *err) {
  bool first = true;
  for (int k = 0; k < show_frames_count(f); k++) {
    static show_frame frame;
    CB_TRY(show_frames_read(f, k, &frame, err));
    const show_surface *s = show_surface_of(&frame, name);
    if (s && s->n_triangles > 0 && (every || !s->as_before)) {
      if (first) {
        cb_bytes_text(b, "    %s = ", attribute);
        put(b, s);
        cb_bytes_text(b, "\n    %s.timeSamples = {\n", attribute);
        first = false;
      }
      cb_bytes_text(b, "      %d: ", k);
      put(b, s);
      cb_bytes_text(b, ",\n");
    }
    show_frame_clear(&frame);
  }
  cb_bytes_text(b, "    }\n");
  return CB_OK;
}

static cb_status put_mesh(cb_bytes *b, show_frames *f, const show_part *p, cb_err *err) {
  const bool cloth = strncmp(p->name, "cloth", 5) == 0;
  cb_bytes_text(b, "  def Mesh \"%s\"\n  {\n    uniform token subdivisionScheme = \"none\"\n", p->name);
  cb_bytes_text(b, "    uniform bool doubleSided = true\n");
  cb_bytes_text(b, "    color3f[] primvars:displayColor = [(%.4g, %.4g, %.4g)]\n", (double)p->colour[0],
                (double)p->colour[1], (double)p->colour[2]);
  if (cloth) cb_bytes_text(b, "    rel material:binding:physics = </World/ClothMaterial>\n");
  CB_TRY(put_samples(b, f, p->name, "int[] faceVertexCounts", put_counts, false, err));
  CB_TRY(put_samples(b, f, p->name, "int[] faceVertexIndices", put_corners, false, err));
  CB_TRY(put_samples(b, f, p->name, "point3f[] points", put_points, true, err));
  cb_bytes_text(b, "  }\n\n");
  return CB_OK;
}

static bool is_first_of_name(const show_part *part, int i) {
  for (int j = 0; j < i; j++)
    if (strcmp(part[j].name, part[i].name) == 0) return false;
  return true;
}

static void put_head(cb_bytes *b, const double *time_s, int n) {
  const double rate = n > 1 && time_s[n - 1] > time_s[0] ? (n - 1) / (time_s[n - 1] - time_s[0]) : 24;
  cb_bytes_text(b, "#usda 1.0\n(\n  defaultPrim = \"World\"\n  doc = \"clothbench %s\"\n", cb_version());
  cb_bytes_text(b, "  metersPerUnit = 1\n  kilogramsPerUnit = 1\n  upAxis = \"Z\"\n");
  cb_bytes_text(b, "  startTimeCode = 0\n  endTimeCode = %d\n  timeCodesPerSecond = %.9g\n)\n\n", n - 1,
                rate);
  cb_bytes_text(b, "def Xform \"World\"\n{\n");
}

cb_status show_usd_write(show_frames *f, const char *path, cb_err *err) {
  cb_bytes b = {0};
  show_part *part = NULL;
  double *time_s = NULL;
  int n;
  cb_status st = show_parts_of(f, &part, &n, &time_s, err);
  if (st == CB_OK) {
    put_head(&b, time_s, show_frames_count(f));
    put_material(&b, show_frames_about(f));
  }
  for (int i = 0; st == CB_OK && i < n; i++)
    if (is_first_of_name(part, i)) st = put_mesh(&b, f, &part[i], err);
  cb_bytes_text(&b, "}\n");
  if (st == CB_OK) st = cb_bytes_write(&b, path, err);
  cb_bytes_clear(&b);
  free(part);
  free(time_s);
  return st;
}
