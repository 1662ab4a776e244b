#include "vrig_device.h"

const vrig_device *const vrig_devices[] = {
    [CB_STAGE_ZABER_ASCII] = &vrig_zaber_device,
    [CB_STAGE_GRBL] = &vrig_grbl_device,
    [CB_STAGE_MARK10_ESM] = &vrig_esm_device,
    [CB_STAGE_SMC100] = &vrig_smc100_device,
};
