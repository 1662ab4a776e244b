#include "vrig_device.h"

static const vrig_device *const drivers[] = {
    [CB_STAGE_ZABER_ASCII] = &vrig_zaber_device, [CB_STAGE_GRBL] = &vrig_grbl_device,
    [CB_STAGE_MARK10_ESM] = &vrig_esm_device,    [CB_STAGE_SMC100] = &vrig_smc100_device,
    [CB_STAGE_APT] = &vrig_apt_device,
};
static const vrig_device *const devices[] = {
    [CB_VIRTUAL_PI_GCS] = &vrig_gcs_device,
    [CB_VIRTUAL_ZABER] = &vrig_zaber_device,
};

const vrig_device *vrig_device_of(const cb_rig *rig) {
  return rig->stage.driver == CB_STAGE_LINES ? devices[rig->virt.device] : drivers[rig->stage.driver];
}
