#include "cb_standard.h"

#include <string.h>

#include "cb_language.h"

#define N_OF(a) (sizeof(a) / sizeof(a)[0])

/* Chen, Feng, Wang, SIGGRAPH 2013, section 3: three directions, the loads of their table. */
static const double chen_angles_deg[] = {0, 45, 90};
static const double kes_angles_deg[] = {0, 90};
static const double chen_masses_kg[] = {0.010, 0.025, 0.050, 0.100, 0.200, 0.300};

#define MM_PER_MIN (1e-3 / 60)

static const cb_standard standards[] = {
    {.name = "astm-d1894",
     .title = "ASTM D1894",
     .sled_kg = {0.200, 0.195, 0.205},
     .contact_area_m2 = {63.5e-3 * 63.5e-3, 0.95 * 63.5e-3 * 63.5e-3, 1.05 * 63.5e-3 * 63.5e-3},
     .speed_m_per_s = {150 * MM_PER_MIN, 120 * MM_PER_MIN, 180 * MM_PER_MIN},
     .specimens = {5, 5, 1000},
     .fresh = true,
     .window_m = 0.130,
     .peak_m = 0.005,
     .decimals = 3},
    {.name = "iso-8295",
     .title = "ISO 8295",
     .sled_kg = {0.200, 0.198, 0.202},
     .contact_area_m2 = {40e-4, 0.95 * 40e-4, 1.05 * 40e-4},
     .speed_m_per_s = {100 * MM_PER_MIN, 90 * MM_PER_MIN, 110 * MM_PER_MIN},
     .specimens = {3, 3, 1000},
     .fresh = true,
     .zero_min_s = 15,
     .window_m = 0.060,
     .peak_m = 0.005,
     .decimals = 2},
    {.name = "tappi-t549",
     .title = "TAPPI T 549",
     .sled_kg = {0.200, 0.195, 0.205},
     .contact_area_m2 = {63.5e-3 * 63.5e-3, 0.95 * 63.5e-3 * 63.5e-3, 1.05 * 63.5e-3 * 63.5e-3},
     .speed_m_per_s = {150 * MM_PER_MIN, 120 * MM_PER_MIN, 180 * MM_PER_MIN},
     .specimens = {5, 5, 1000},
     .fresh = true,
     .window_m = 0.130,
     .peak_m = 0.005,
     .decimals = 2},
    {.name = "kes-fb4",
     .title = "KES-FB4",
     .sled_kg = {0.050, 0.049, 0.052},
     .contact_area_m2 = {25e-6, 22e-6, 28e-6},
     .speed_m_per_s = {1e-3, 0.95e-3, 1.05e-3},
     .specimens = {3, 3, 1000},
     .window_m = 0.025,
     .peak_m = 0.005,
     .surface = true,
     .decimals = 4,
     .n_angles = N_OF(kes_angles_deg),
     .angles_deg = kes_angles_deg},
    {.name = "chen-2013",
     .title = "Chen, Feng, Wang 2013",
     .contact_area_m2 = {50e-4, 40e-4, 60e-4},
     .speed_m_per_s = {0.01, 0.01, 0.01},
     .specimens = {3, 3, 1000},
     .decimals = 3,
     .n_angles = N_OF(chen_angles_deg),
     .n_masses = N_OF(chen_masses_kg),
     .angles_deg = chen_angles_deg,
     .added_masses_kg = chen_masses_kg},
};

const char *const cb_standard_names[] = {N_("custom"), "astm-d1894", "iso-8295", "tappi-t549",
                                         "kes-fb4",    "chen-2013",  NULL};
_Static_assert(N_OF(cb_standard_names) == N_OF(standards) + 2, "custom, the standards, NULL");

const cb_standard *cb_standard_at(int index) {
  return index >= 1 && (size_t)index <= N_OF(standards) ? &standards[index - 1] : NULL;
}

const cb_standard *cb_standard_find(const char *name) {
  for (size_t i = 0; i < N_OF(standards); i++)
    if (strcmp(standards[i].name, name) == 0) return &standards[i];
  return NULL;
}

bool cb_allowed_has(const cb_allowed *a, double value) {
  return a->max == 0 || (value >= a->min * (1 - 1e-9) && value <= a->max * (1 + 1e-9));
}
