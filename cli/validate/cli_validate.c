#include "cli_validate.h"

#include <math.h>
#include <stdio.h>

#include "cli_friction.h"

bool cli_contact_friction_in_order(const cli_contact_friction *r) {
  if (!r->cloth != !r->body) {
    cli_say("validate", "--%s without --%s: both name a pair", r->cloth ? "cloth" : "body",
            r->cloth ? "body" : "cloth");
    return false;
  }
  if (r->cloth && !(isnan(r->mu) && isnan(r->mu_static))) {
    cli_say("validate", "--mu and --cloth: either coefficients or the laws of a pair were wanted");
    return false;
  }
  return true;
}

static cb_status read_laws(cli_contact_friction *r, cb_store *s, sim_friction *out, cb_err *err) {
  bool fresh;
  CB_TRY(cli_friction_law(s, r->cloth, r->body, CB_FRICTION_KINETIC, &r->kinetic, &fresh, err));
  out->kinetic_law = &r->kinetic;
  cb_status st = cli_friction_law(s, r->cloth, r->body, CB_FRICTION_STATIC, &r->stat, &fresh, err);
  if (st == CB_OK) out->static_law = &r->stat;
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

cb_status cli_contact_friction_read(cli_contact_friction *r, sim_friction *out, cb_err *err) {
  *out = (sim_friction){0};
  if (!r->cloth) {
    out->mu_kinetic = isnan(r->mu) ? 0.3 : r->mu;
    out->mu_static = isnan(r->mu_static) ? out->mu_kinetic : r->mu_static;
    return sim_friction_check(out, err);
  }
  cb_store *s;
  CB_TRY(cb_store_open(cli_db_path(r->db), CB_STORE_READ, &s, err));
  return cb_store_close_after(s, read_laws(r, s, out, err), err);
}

static json_t *law_id(const cb_friction_law *law) {
  return law && law->id ? json_integer(law->id) : json_null();
}

json_t *cli_contact_friction_json(const cli_contact_friction *r, const sim_friction *f) {
  bool pair = r->cloth != NULL;
  return json_pack("{s:o, s:o, s:s?, s:s?, s:o, s:o}", "mu", pair ? json_null() : json_real(f->mu_kinetic),
                   "mu_static", pair ? json_null() : json_real(f->mu_static), "cloth", r->cloth, "body",
                   r->body, "law_kinetic_id", law_id(f->kinetic_law), "law_static_id", law_id(f->static_law));
}

void cli_contact_friction_words(const cli_contact_friction *r, const sim_friction *f, char *out,
                                size_t size) {
  if (r->cloth)
    (void)snprintf(out, size, "%s on %s", r->cloth, r->body);
  else
    (void)snprintf(out, size, "mu %g (static %g)", f->mu_kinetic, f->mu_static);
}

static void print_from_sled(const lab_slide_quantity *q) {
  if (!isnan(q->sled)) printf(" %11.4g %+7.2f u", q->sled, lab_slide_from_sled(q));
  printf("\n");
}

void cli_print_quantities(const lab_slide_quantity *list, const char *const *names, const char *const *units,
                          size_t n) {
  bool sled = false;
  for (size_t i = 0; i < n; i++) sled = sled || (list[i].compared && !isnan(list[i].sled));
  printf("%-24s %-4s %11s %11s %11s %11s %7s%s\n", "", "", "predicted", "u", "measured", "u", "E_n",
         sled ? "  rigid sled  differs" : "");
  for (size_t i = 0; i < n; i++) {
    const lab_slide_quantity *q = &list[i];
    printf("%-24s %-4s ", names[i], units[i]);
    if (q->compared)
      printf("%11.4g %11.2g %11.4g %11.2g %+7.2f", q->predicted, q->u_predicted, q->measured, q->u_measured,
             q->en),
          print_from_sled(q);
    else
      printf("%11s\n", "not compared");
  }
}

void cli_print_scatter(const lab_slide_scatter *s, bool inside) {
  if (s->dof > 0)
    printf(
        "\nscatter of single runs included: %.2g %% from repeat to repeat, %.2g %% from placement to "
        "placement\n",
        100 * s->repeat_rel, 100 * s->placement_rel);
  else
    printf("\nthe scatter of single runs is not included: the law does not document any\n");
  if (!inside) printf("the load lies outside the law's measured range\n");
}
