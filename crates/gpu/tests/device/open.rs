//! Devices for tests.

use palmette_gpu::{Device, DeviceParams, devices};
use std::sync::OnceLock;

/// The device as it is.
pub(crate) fn plain() -> &'static Device {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    DEVICE.get_or_init(|| Device::open(&DeviceParams::default()).unwrap())
}

/// The same device with the smallest limits: 2,048 elements per chunk, 4 × 4 workgroups, buffers of
/// 32 KiB, be they for arrays, transfers or parameters. The validation of `wgpu` holds us to them.
pub(crate) fn split() -> &'static Device {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    let (bytes, workgroups) = (Some(1 << 15), Some(4));
    let params = DeviceParams {
        binding_bytes: bytes,
        buffer_bytes: bytes,
        workgroups,
        ..Default::default()
    };
    DEVICE.get_or_init(|| Device::open(&params).unwrap())
}

#[test]
fn there_is_a_device_and_it_can_be_named() {
    let all = devices();
    assert!(!all.is_empty(), "make setup installs a device in software");
    for info in &all {
        assert!(info.binding_bytes >= 1 << 20 && info.workgroups >= 65_535, "{info:?}");
        for choice in [info.index.to_string(), info.name.clone()] {
            let params = DeviceParams { choice: Some(choice), ..Default::default() };
            assert_eq!(Device::open(&params).unwrap().info().name, info.name);
        }
    }
    assert!(all.windows(2).all(|w| w[0].kind <= w[1].kind));
}
