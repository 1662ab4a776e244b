#include "sim_mesh_draft.h"

#include <math.h>
#include <stdlib.h>

#include "sim_mesh.h"

cb_status sim_draft_init(sim_draft *d, int n_vertices, int n_triangles, cb_err *err) {
  *d = (sim_draft){.point_m = malloc((size_t)n_vertices * sizeof *d->point_m),
                   .triangle = malloc((size_t)n_triangles * sizeof *d->triangle),
                   .curve = malloc((size_t)n_vertices)};
  if (d->point_m && d->triangle && d->curve) return CB_OK;
  sim_draft_clear(d);
  return cb_no_memory(err, "mesh, %d vertices", n_vertices);
}

void sim_draft_clear(sim_draft *d) {
  free(d->point_m);
  free(d->triangle);
  free(d->curve);
  *d = (sim_draft){0};
}

void sim_draft_vertex(sim_draft *d, double x_m, double y_m, int curve) {
  d->point_m[d->n_vertices][0] = x_m;
  d->point_m[d->n_vertices][1] = y_m;
  d->curve[d->n_vertices++] = (unsigned char)curve;
}

void sim_draft_triangle(sim_draft *d, int a, int b, int c) {
  int *t = d->triangle[d->n_triangles++];
  t[0] = a;
  t[1] = b;
  t[2] = c;
}

void sim_draft_zip(sim_draft *d, const sim_draft_row *right, const sim_draft_row *left) {
  for (int i = 0, j = 0; i < right->steps || j < left->steps;) {
    int a = right->first + i % right->n, b = left->first + j % left->n;
    bool on_right = j == left->steps;
    if (!on_right && i < right->steps) {
      double over = fabs(right->at(right, i + 1) - left->at(left, j)) -
                    fabs(right->at(right, i) - left->at(left, j + 1));
      /* a tie must not hang on rounding */
      on_right = over <= 1e-9 * fabs(right->at(right, right->steps) - right->at(right, 0));
    }
    if (on_right) {
      sim_draft_triangle(d, a, right->first + ++i % right->n, b);
    } else {
      sim_draft_triangle(d, a, left->first + ++j % left->n, b);
    }
  }
}

static void place_vertices(const sim_draft *d, const int *order, double warp_rad, double (*position)[3],
                           double (*corner)[3][2], const int (*triangle)[3]) {
  double c = cos(warp_rad), s = sin(warp_rad);
  for (int i = 0; i < d->n_vertices; i++) {
    position[i][0] = d->point_m[order[i]][0];
    position[i][1] = d->point_m[order[i]][1];
    position[i][2] = 0;
  }
  for (int t = 0; t < d->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      const double *p = position[triangle[t][k]];
      corner[t][k][0] = c * p[0] + s * p[1];
      corner[t][k][1] = c * p[1] - s * p[0];
    }
}

cb_status sim_draft_finish(const sim_draft *d, double warp_rad, sim_mesh *out, cb_err *err) {
  size_t nv = (size_t)d->n_vertices, nt = (size_t)d->n_triangles;
  cb_status st = CB_OK;
  int *order = malloc(nv * sizeof *order), *triangle_order = malloc(nt * sizeof *triangle_order);
  int(*triangle)[3] = malloc(nt * sizeof *triangle);
  double(*position)[3] = malloc(nv * sizeof *position), (*corner)[3][2] = malloc(nt * sizeof *corner);
  if (!order || !triangle_order || !triangle || !position || !corner) {
    st = cb_no_memory(err, "mesh, %d vertices", d->n_vertices);
    goto done;
  }
  CB_GOTO(sim_mesh_order((const int(*)[3])d->triangle, d->n_triangles, d->n_vertices, order, triangle_order,
                         triangle, err));
  place_vertices(d, order, warp_rad, position, corner, (const int(*)[3])triangle);
  st = sim_mesh_build((const sim_vec3 *)position, d->n_vertices, (const int(*)[3])triangle,
                      (const double(*)[3][2])corner, d->n_triangles, out, err);
done:
  free(order);
  free(triangle_order);
  free(triangle);
  free(position);
  free(corner);
  return st;
}

double sim_draft_edge(double (*count)(const void *, double), const void *context, double wanted,
                      double shortest_m, double longest_m) {
  double lo = shortest_m, hi = longest_m; /* lo gives too many vertices, hi too few */
  for (int i = 0; i < 60; i++) {
    double middle = sqrt(lo * hi);
    if (count(context, middle) > wanted) {
      lo = middle;
    } else {
      hi = middle;
    }
  }
  return count(context, lo) - wanted < wanted - count(context, hi) ? lo : hi;
}
