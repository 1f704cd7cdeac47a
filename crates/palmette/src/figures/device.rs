//! Figures of devices, and of work on one.

use super::*;
use crate::{DeviceFigures, DeviceRun};

impl Figures for DeviceRun {
    fn figures(&self, record: &mut Record) {
        record
            .figure("device", self.device.as_str())
            .figure("device_kind", self.device_kind)
            .figure("engine", self.engine.name());
        if self.not_finite > 0 {
            record.figure("not_finite", self.not_finite);
        }
    }
}

/// The devices of a machine.
impl Figures for Vec<DeviceFigures> {
    fn figures(&self, record: &mut Record) {
        record.figure("count", self.len()).figure("devices", json!(self));
    }

    fn lists(&self) -> &'static [&'static str] {
        &["count", "devices"]
    }
}
