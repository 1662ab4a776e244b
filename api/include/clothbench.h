/* clothbench: measured laws of cloth with their uncertainty, and cloth in motion, for other programs.
 *
 * Units. SI, and named in every parameter. Angles are in degrees from the warp and may have any size and
 * sign.
 *
 * Errors. A function that can fail returns a clothbench_status. Unless that is CLOTHBENCH_OK, *error holds
 * one sentence: where, what, got, wanted. error may be NULL. Output parameters then hold NULL or nothing.
 *
 * Ownership. Every handle has one function that ends it, which takes NULL, too. Texts and lists that are
 * returned through a pointer belong to the caller, who frees each with clothbench_free. Arrays that are
 * passed in stay the caller's.
 *
 * Threads. The library has no global state. One handle is used by one thread at a time; laws alone may be
 * evaluated and drawn from by many threads at once.
 *
 * A missing number is NaN. Texts are UTF-8. Functions are added, and none is changed or removed, while the
 * library's soname stays the same. */
#ifndef CLOTHBENCH_H
#define CLOTHBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum clothbench_status {
  CLOTHBENCH_OK = 0,
  CLOTHBENCH_E_ARG = -1,       /* the caller broke the contract of this header */
  CLOTHBENCH_E_NOMEM = -2,     /* out of memory */
  CLOTHBENCH_E_IO = -3,        /* read, write or open failed */
  CLOTHBENCH_E_PARSE = -4,     /* a text is not in the expected form */
  CLOTHBENCH_E_RANGE = -5,     /* a value is outside its allowed range */
  CLOTHBENCH_E_DB = -6,        /* error of the database */
  CLOTHBENCH_E_NUM = -9,       /* NaN, infinity or a singular matrix */
  CLOTHBENCH_E_NOTFOUND = -10, /* no such entry */
  CLOTHBENCH_E_STOPPED = -11   /* stopped by the operator */
} clothbench_status;

typedef struct clothbench_error {
  char message[512]; /* one line, NUL-terminated */
} clothbench_error;

/* Returns the version of the library, "0.1.0". The text is static. */
const char *clothbench_version(void);
/* Returns the words of a status: "no such entry". The text is static. */
const char *clothbench_status_text(clothbench_status status);
/* Frees a text or list that a function below returned. */
void clothbench_free(void *memory);

/* ---- a database ---- */

typedef struct clothbench_database clothbench_database;

/* Opens a database: an SQLite file of measurements and laws, as `clothbench` writes it, or the shipped
 * materials.db. writable: the file is made if it does not exist, and brought to the present schema.
 * Errors: E_IO if it does not exist; E_DB if it is no such database; E_ARG for a name that SQLite does not
 * take for a file's. */
clothbench_status clothbench_open(const char *path, bool writable, clothbench_database **out,
                                  clothbench_error *error);
/* Closes and frees a database in any case. Error: E_DB if the file was removed or replaced meanwhile. */
clothbench_status clothbench_close(clothbench_database *database, clothbench_error *error);

typedef enum clothbench_material { CLOTHBENCH_CLOTH, CLOTHBENCH_BODY } clothbench_material;
/* Lists the names of all cloths or bodies, in order. *names: n texts, freed as one. */
clothbench_status clothbench_names(clothbench_database *database, clothbench_material kind,
                                   const char *const **names, size_t *n, clothbench_error *error);
/* Writes the contents as JSON: materials, campaigns, laws (the document of `clothbench db ls --json`). */
clothbench_status clothbench_contents(clothbench_database *database, char **json, clothbench_error *error);
/* Writes the card of a cloth or body as JSON: every property with value, standard uncertainty, unit and
 * source (the document of `clothbench db show --json`). */
clothbench_status clothbench_card(clothbench_database *database, const char *name, char **json,
                                  clothbench_error *error);
/* Writes a material as the text of a file for another program or laboratory. format: "json" (all laws, all
 * digits), "csv", "arcsim", "u3m", "blender", "mujoco", "newton", "pybullet", "ppf", "clo" or "jfab". body:
 * whose friction the file has, in formats with friction; NULL: the only one there is. */
clothbench_status clothbench_export(clothbench_database *database, const char *name, const char *format,
                                    const char *body, char **text, clothbench_error *error);
/* Writes a tidy table as CSV: "runs", "points", "laws" or "traces". Columns have their units in their names.
 */
clothbench_status clothbench_table(clothbench_database *database, const char *which, char **csv,
                                   clothbench_error *error);
/* Writes all verdicts of predictions against measurements as JSON, the newest last, in the form of
 * clothbench_query. Columns: experiment, cloth, body, pass, worst_en (the largest |E_n|), created_at. */
clothbench_status clothbench_verdicts(clothbench_database *database, char **json, clothbench_error *error);
/* Writes the answer of one SQL statement that only reads as JSON: {"columns": [...], "rows": [[...], ...]}.
 */
clothbench_status clothbench_query(clothbench_database *database, const char *sql, char **json,
                                   clothbench_error *error);

/* ---- measurements into a database ---- */

/* Imports a table of measurements into the database at `path`, which is made if need be. kind: "friction", or
 * a test of one material: "permeability", "stretch", "cantilever", "bending-moment", "shear", "compression",
 * "buckling". mapping: a YAML file that says what the columns are (docs/reference/import-mapping.md). *n: the
 * measurements stored. All or none are stored.
 * Errors: E_PARSE, E_RANGE with file, line and column; E_RANGE for a table that was imported before. */
clothbench_status clothbench_import(const char *path, const char *kind, const char *mapping,
                                    const char *table, size_t *n, clothbench_error *error);

typedef enum clothbench_kind {
  CLOTHBENCH_KINETIC,       /* friction of a cloth that slides on a body */
  CLOTHBENCH_STATIC,        /* friction before it slides */
  CLOTHBENCH_SELF_FRICTION, /* of a cloth that slides on a cloth, both with their direction */
  CLOTHBENCH_STRETCH,
  CLOTHBENCH_BENDING,
  CLOTHBENCH_PERMEABILITY,
  CLOTHBENCH_COMPRESSION
} clothbench_kind;

/* Fits a law to all measurements of a cloth (and body, for friction; else NULL), and stores it. Both kinds of
 * friction are fitted together. Errors: E_ARG for a database that is open for reading; E_NOTFOUND without
 * measurements, or where they allow no law. */
clothbench_status clothbench_fit(clothbench_database *database, clothbench_kind kind, const char *cloth,
                                 const char *body, clothbench_error *error);

/* ---- a law ---- */

typedef struct clothbench_law clothbench_law;

/* Finds the newest law of a cloth, and of its pair with a body (NULL where the kind has none). Friction whose
 * runs are newer than its law is fitted in memory. The law does not need the database any more.
 * Error: E_NOTFOUND; the sentence says what would provide the law. */
clothbench_status clothbench_law_find(clothbench_database *database, clothbench_kind kind, const char *cloth,
                                      const char *body, clothbench_law **out, clothbench_error *error);
void clothbench_law_free(clothbench_law *law);
/* Draws one of the laws that the uncertainty of `law` allows, without uncertainty of its own. The same law,
 * seed and number give the same draw. Error: E_NOTFOUND if the law does not know its uncertainty. */
clothbench_status clothbench_law_draw(const clothbench_law *law, uint64_t seed, uint64_t number,
                                      clothbench_law **out, clothbench_error *error);
/* The same law of friction for another contact area: F(N) = A/A0 F0(N A0/A), as traction depends on pressure.
 * Errors: E_ARG for another kind, E_RANGE for an area that is not > 0. */
clothbench_status clothbench_law_on_area(const clothbench_law *law, double area_m2, clothbench_law **out,
                                         clothbench_error *error);
/* Writes the law as JSON, with all parameters, covariances and digits. */
clothbench_status clothbench_law_json(const clothbench_law *law, char **json, clothbench_error *error);

clothbench_kind clothbench_law_kind(const clothbench_law *law);
/* Return names that belong to the law. body: "" where it has none. */
const char *clothbench_law_cloth(const clothbench_law *law);
const char *clothbench_law_body(const clothbench_law *law);
/* Returns "measured", "imported", "simulated" or "virtual". The text is static. */
const char *clothbench_law_origin(const clothbench_law *law);
/* Writes the ends of the measured range: of normal force [N], strain [1], curvature [1/m] or pressure [Pa].
 */
void clothbench_law_range(const clothbench_law *law, double range[2]);
/* Return contact area and speed at which friction was measured; NaN: unknown, or another kind. */
double clothbench_law_area_m2(const clothbench_law *law);
double clothbench_law_speed_m_per_s(const clothbench_law *law);

/* What an evaluation writes: n numbers each, in the caller's arrays. NULL: not wanted. */
typedef struct clothbench_band {
  double *value;
  double *u;   /* standard uncertainty (k = 1) of the cloth's mean; NaN: unknown */
  double *low; /* 95 % interval, by Student's t; permeability and compression: of the logarithm */
  double *high;
  bool *measured; /* the point lies within the measured range */
} clothbench_band;

/* Evaluate a law at n points: arrays of n numbers. Errors: E_ARG for a law of another kind; E_RANGE for a
 * number out of range, with its place; nothing is then written. */

/* Friction force [N], kinetic or static, of a cloth that slides at angle_deg under normal_force_N >= 0. */
clothbench_status clothbench_friction_force(const clothbench_law *law, size_t n, const double *angle_deg,
                                            const double *normal_force_N, const clothbench_band *out,
                                            clothbench_error *error);
/* Coefficient of friction: force over load > 0. */
clothbench_status clothbench_friction_mu(const clothbench_law *law, size_t n, const double *angle_deg,
                                         const double *normal_force_N, const clothbench_band *out,
                                         clothbench_error *error);
/* f00, f01, f11 [N] of the quadratic form F = u^T f u, three for each load; u = (cos, sin) of the angle. */
clothbench_status clothbench_friction_tensor(const clothbench_law *law, size_t n,
                                             const double *normal_force_N, double *f_N,
                                             clothbench_error *error);
/* Friction force [N] of cloth on cloth; body_angle_deg: direction of sliding from the warp of the lower one.
 */
clothbench_status clothbench_self_friction_force(const clothbench_law *law, size_t n, const double *angle_deg,
                                                 const double *body_angle_deg, const double *normal_force_N,
                                                 const clothbench_band *out, clothbench_error *error);
/* Force per width [N/m] of a strip in a direction, at a strain >= 0 (engineering, of the slack-free length).
 * NaN in a direction that the law does not tell. */
clothbench_status clothbench_stretch_force(const clothbench_law *law, size_t n, const double *angle_deg,
                                           const double *strain, const clothbench_band *out,
                                           clothbench_error *error);
/* Moment per width [N] of a flat strip that is bent for the first time to a curvature >= 0 [1/m]. Of a law of
 * slopes it has the friction of the yarns, measured or as other fabrics have it, and is NaN where the cloth's
 * areal density is unknown. */
clothbench_status clothbench_bending_moment(const clothbench_law *law, size_t n, const double *angle_deg,
                                            const double *curvature_per_m, const clothbench_band *out,
                                            clothbench_error *error);
/* Flexural rigidity [N m] in a direction at a curvature: moment over curvature, or the moment's slope, as it
 * was measured. */
clothbench_status clothbench_bending_rigidity(const clothbench_law *law, size_t n, const double *angle_deg,
                                              const double *curvature_per_m, const clothbench_band *out,
                                              clothbench_error *error);
/* Face velocity of air [m/s] through one layer at a pressure difference > 0 [Pa]. */
clothbench_status clothbench_air_velocity(const clothbench_law *law, size_t n, const double *pressure_Pa,
                                          const clothbench_band *out, clothbench_error *error);
/* Thickness [m] of one layer under a pressure > 0 [Pa] that rises. */
clothbench_status clothbench_thickness(const clothbench_law *law, size_t n, const double *pressure_Pa,
                                       const clothbench_band *out, clothbench_error *error);

/* Judges a measured pull of a campaign of kind slide by the laws of its pair: simulates it with all that is
 * not known drawn, and compares both. run_id 0: the newest such pull. Nothing is stored. A prediction that
 * does not hold is no error. Errors: E_NOTFOUND without such a run or law. */
typedef struct clothbench_verdict {
  int64_t run_id;
  bool pass;
  double worst_en; /* the largest |E_n| of the compared quantities */
} clothbench_verdict;
clothbench_status clothbench_judge_slide(clothbench_database *database, int64_t run_id,
                                         clothbench_verdict *out, clothbench_error *error);

/* Returns E_n of a prediction against a measurement: their difference over the root of the sum of squares of
 * their expanded uncertainties (95 %). They agree if |E_n| <= 1 (ISO 13528). */
double clothbench_en(double predicted, double u95_predicted, double measured, double u95_measured);

/* ---- a scene that moves ---- */

typedef struct clothbench_scene clothbench_scene;

/* Reads a scene file (docs/reference/scene-file.md) and stands at its start. database: for the laws of the
 * materials that the scene names; NULL: it names none. It is not needed afterwards. Files that the scene
 * names are sought in the working folder. Errors: those of the file; E_NOTFOUND for a law that nobody has. */
clothbench_status clothbench_scene_open(const char *path, clothbench_database *database,
                                        clothbench_scene **out, clothbench_error *error);
void clothbench_scene_free(clothbench_scene *scene);
/* Takes one step. Error: E_NUM if the motion goes wrong; the scene then stays as it is. */
clothbench_status clothbench_scene_step(clothbench_scene *scene, clothbench_error *error);
double clothbench_scene_time_s(const clothbench_scene *scene);
int clothbench_scene_steps(const clothbench_scene *scene); /* of the whole scene */
int clothbench_scene_done(const clothbench_scene *scene);  /* so far */
/* Returns the name of the model that plays it: "cloth", "curtain", ... It belongs to the scene. */
const char *clothbench_scene_model(const clothbench_scene *scene);

/* A surface of triangles in the memory of the scene: nothing is copied. It holds until the next call that
 * takes this scene. */
typedef struct clothbench_surface {
  int n_vertices, n_triangles;
  const double *position_m;       /* x, y, z of each vertex */
  const double *velocity_m_per_s; /* likewise; NULL: the model tells none */
  const int *triangle;            /* three vertices each, from 0 */
} clothbench_surface;
int clothbench_scene_surfaces(clothbench_scene *scene);
/* Error: E_ARG for a surface that the scene lacks. */
clothbench_status clothbench_scene_surface(clothbench_scene *scene, int surface, clothbench_surface *out,
                                           clothbench_error *error);
/* The table of the scene: time_s, the model's values, the probes. A name belongs to the scene; NULL: no such
 * column. row: the present value of every column. */
int clothbench_scene_columns(const clothbench_scene *scene);
const char *clothbench_scene_column(const clothbench_scene *scene, int column);
void clothbench_scene_row(clothbench_scene *scene, double *row);
/* Save the state, or go on from one; the bits are those of a run that was never interrupted. */
clothbench_status clothbench_scene_save(clothbench_scene *scene, const char *path, clothbench_error *error);
clothbench_status clothbench_scene_load(clothbench_scene *scene, const char *path, clothbench_error *error);
/* Draws the present state as a PNG file. */
clothbench_status clothbench_scene_picture(clothbench_scene *scene, const char *path,
                                           clothbench_error *error);

/* ---- a drape ---- */

typedef struct clothbench_drape {
  double coefficient, u; /* (A - A_support) / (A_specimen - A_support), 0 to 1; standard uncertainty */
  double area_m2, radius_mean_m, radius_min_m, radius_max_m, node_height_m;
  int nodes;
} clothbench_drape;
/* Reduces a mesh of a draped disc, z up, by its shadow (ISO 9073-9). support_m, specimen_m: diameters. */
clothbench_status clothbench_drape_of_mesh(size_t n_vertices, const double *position_m, size_t n_triangles,
                                           const int *triangle, double support_m, double specimen_m,
                                           clothbench_drape *out, clothbench_error *error);

#ifdef __cplusplus
}
#endif

#endif
