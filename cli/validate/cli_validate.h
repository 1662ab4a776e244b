/* Shared by the experiments of `validate`. */
#ifndef CLI_VALIDATE_H
#define CLI_VALIDATE_H

#include "cli.h"
#include "lab_slide.h"
#include "sim_cloth.h"

/* Friction of the cloth on the body of an experiment: two coefficients, or the laws of a pair. */
typedef struct cli_contact_friction {
  double mu, mu_static;          /* NAN: not given; then 0.3, and as mu */
  const char *cloth, *body, *db; /* the pair, if its laws are used */
  cb_friction_law kinetic, stat; /* of the pair */
} cli_contact_friction;

/* The options of a cli_contact_friction r, for the table of a command. */
#define CLI_CONTACT_FRICTION_OPTIONS(r)                                                             \
  {"mu", CLI_NUMBER, &(r).mu, "kinetic coefficient of friction; else 0.3", .min = 0, .max = 100},   \
      {"mu-static", CLI_NUMBER, &(r).mu_static, "static one; else the same", .min = 0, .max = 100}, \
      {"cloth", CLI_CLOTH, &(r).cloth, "with --body: the laws of a pair in the database instead"},  \
      {"body", CLI_BODY, &(r).body, "the body's name"}, {                                           \
    .name = "db", .kind = CLI_TEXT, .value = &(r).db, .help = "the database file"                   \
  }
#define CLI_CONTACT_FRICTION_USAGE "[--mu M [--mu-static S] | --cloth NAME --body NAME [--db FILE]]"

#define CLI_CONTACT_FRICTION_DEFAULT \
  { .mu = NAN, .mu_static = NAN }

/* Returns false, after a message, if coefficients and a pair are mixed, or if half a pair is named. */
bool cli_contact_friction_in_order(const cli_contact_friction *r);
/* Reads the friction; *out points into *r. A pair without a static law has static friction equal to kinetic
 * friction. Error: CB_E_NOTFOUND without a law. */
CB_CHECKED cb_status cli_contact_friction_read(cli_contact_friction *r, sim_friction *out, cb_err *err);
/* Makes {"mu": 0.3, "mu_static": 0.3, "cloth": null, "body": null, "law_kinetic_id": null, "law_static_id":
 * null}. Returns NULL without memory. */
json_t *cli_contact_friction_json(const cli_contact_friction *r, const sim_friction *f);
/* Returns "mu 0.3 (static 0.3)" or "CLOTH on BODY" in out. */
void cli_contact_friction_words(const cli_contact_friction *r, const sim_friction *f, char *out, size_t size);

/* Prints n quantities of a verdict as a table, with the rigid sled's beside them where there are any. */
void cli_print_quantities(const lab_slide_quantity *list, const char *const *names, const char *const *units,
                          size_t n);
/* Prints what scatter of single runs is in them; and where the load was outside of what was measured. */
void cli_print_scatter(const lab_slide_scatter *s, bool inside);

/* Compares a measured run on a slope with the law of its pair, and stores the verdict where the database can
 * be written. Returns a cli_exit. */
int cli_validate_incline_run(const char *path, double run_id, bool json);

#endif
