#include "daq_scan.h"

#include <stdio.h>
#include <string.h>

#include "cb_language.h"
#include "daq_campaign_impl.h"

/* A mark, or a barcode of eight digits or more: a text that nobody takes for a name. */
static bool is_code(const char *text) {
  const size_t n = strlen(text);
  return n >= 8 && (strspn(text, "0123456789") == n || (n == 8 && strspn(text, "0123456789ABCDEF") == n));
}

cb_status daq_scan_choose(cb_store *s, cb_material_kind kind, daq_scanned *what, cb_err *err) {
  cb_material m;
  cb_specimen p;
  what->specimen[0] = '\0';
  what->known = true;
  if (s && cb_store_material_find(s, kind, what->text, &m, NULL) == CB_OK) {
    (void)snprintf(what->text, sizeof what->text, "%s", m.name);
    return CB_OK;
  }
  if (s && kind == CB_CLOTH && cb_store_specimen_find(s, what->text, &p, NULL) == CB_OK) {
    (void)snprintf(what->text, sizeof what->text, "%s", p.cloth);
    (void)snprintf(what->specimen, sizeof what->specimen, "%s", p.name);
    return CB_OK;
  }
  what->known = false;
  if (!is_code(what->text)) return CB_OK;
  return cb_fail(
      err, CB_E_NOTFOUND,
      "no cloth, body or specimen of the database has the code '%s': nothing is chosen ('db alias' "
      "gives a code to a cloth)",
      what->text);
}

/* What a text names, and how that is called: "specimen 'S1' of Twill", "Foam". */
static cb_status look_up(cb_store *s, cb_material_kind kind, const char *text, daq_scanned *what,
                         char shown[200], cb_err *err) {
  (void)snprintf(what->text, sizeof what->text, "%s", text);
  const cb_status st = daq_scan_choose(s, kind, what, err);
  (void)snprintf(shown, 200, what->specimen[0] ? _("specimen '%s' of %.80s") : "%s%.80s", what->specimen,
                 what->text);
  return st;
}

bool daq_scan_tell(cb_store *s, const daq_campaign *c, const char *text, char out[DAQ_SCAN_TEXT]) {
  const char *const wanted[] = {c->specimen[0] ? c->specimen : c->cloth, c->body};
  static const cb_material_kind kinds[] = {CB_CLOTH, CB_BODY};
  cb_err err = {""};
  for (int k = 0; k < 2; k++) {
    char shown[2][200];
    daq_scanned got, of;
    (void)!look_up(s, kinds[k], text, &got, shown[0], &err);
    if (!got.known) continue;
    (void)!look_up(s, kinds[k], wanted[k], &of, shown[1], NULL);
    const bool same = strcmp(got.text, of.text) == 0 &&
                      (!got.specimen[0] || !of.specimen[0] || strcmp(got.specimen, of.specimen) == 0);
    (void)snprintf(
        out, DAQ_SCAN_TEXT,
        same ? _("%s is what this campaign measures") : _("%s is not what this campaign measures, %s"),
        shown[0], shown[1]);
    return true;
  }
  (void)snprintf(out, DAQ_SCAN_TEXT, "%s", err.msg);
  return err.msg[0] != '\0';
}
