//! Opening a device.

use super::info::adapters;
use super::{Bounds, Device, DeviceInfo, Inner, Trouble, lock};
use crate::GpuError;
use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

/// Which device, and how much of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceParams {
    /// A number among [`devices`](super::devices), a part of a name, or a kind such as
    /// `software`; the first device when none.
    pub choice: Option<String>,
    /// Bytes that arrays may take together; what the driver gives when none.
    pub memory: Option<u64>,
    /// Bytes a kernel binds at most; the device's limit when none. Smaller ones split arrays
    /// sooner.
    pub binding_bytes: Option<u64>,
    /// Bytes of a buffer at most; the device's limit when none.
    pub buffer_bytes: Option<u64>,
    /// Workgroups per dimension of a dispatch; the device's limit when none.
    pub workgroups: Option<u32>,
}

/// Every device has more: WebGPU promises four times as much.
const LEAST_BINDING: u64 = 1 << 15;

/// So many workgroups per dimension cover a chunk of the least binding.
const LEAST_GROUPS: u32 = 4;

impl Device {
    /// Opens a device.
    ///
    /// # Errors
    /// No device at all, none that fits the choice, one that is too small for our kernels, or
    /// one that its driver does not open.
    pub fn open(params: &DeviceParams) -> Result<Device, GpuError> {
        let (info, adapter) = choose(params.choice.as_deref())?;
        let mut limits = adapter.limits();
        let binding = params.binding_bytes.map_or(u64::MAX, |b| b.max(LEAST_BINDING));
        let bound = &mut limits.max_storage_buffer_binding_size;
        *bound = (*bound).min(binding);
        let buffer = params.buffer_bytes.map_or(u64::MAX, |b| b.max(LEAST_BINDING));
        limits.max_buffer_size = limits.max_buffer_size.min(buffer);
        if let Some(groups) = params.workgroups {
            let limit = &mut limits.max_compute_workgroups_per_dimension;
            *limit = (*limit).min(groups.max(LEAST_GROUPS));
        }
        check_limits(&info, &limits)?;
        let bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let groups = limits.max_compute_workgroups_per_dimension;
        let elements = (bytes / 16).min(u64::from(groups) * u64::from(groups) * 256);
        let bounds = Bounds {
            chunk: 1 << elements.min(1 << 31).ilog2(),
            groups,
            alignment: limits.min_uniform_buffer_offset_alignment.max(PARAMS_BYTES),
            buffer: limits.max_buffer_size,
            memory: params.memory.unwrap_or(u64::MAX),
        };
        let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
        let opened = pollster::block_on(adapter.request_device(&descriptor));
        let (device, queue) = opened.map_err(|error| GpuError::NotOpened {
            device: info.name.clone(),
            reason: error.to_string(),
        })?;
        Ok(Device::new(device, queue, info, bounds))
    }

    fn new(device: wgpu::Device, queue: wgpu::Queue, info: DeviceInfo, limits: Bounds) -> Device {
        let trouble = Arc::new(Mutex::new(Trouble::default()));
        let seen = trouble.clone();
        device.set_device_lost_callback(move |_, reason| {
            lock(&seen).lost.get_or_insert(reason);
        });
        let seen = trouble.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut trouble = lock(&seen);
            match error {
                wgpu::Error::OutOfMemory { .. } => trouble.exhausted = true,
                other => {
                    trouble.refused.get_or_insert(other.to_string());
                }
            }
        }));
        let used = AtomicU64::new(0);
        let pipelines = Mutex::new(HashMap::new());
        let inner = Inner { device, queue, info, limits, used, pipelines, trouble };
        Device { inner: Arc::new(inner) }
    }
}

/// Bytes of a kernel's parameters.
pub(crate) const PARAMS_BYTES: u32 = 64;

fn choose(choice: Option<&str>) -> Result<(DeviceInfo, wgpu::Adapter), GpuError> {
    let mut all = adapters();
    if all.is_empty() {
        return Err(GpuError::NoDevice);
    }
    let Some(choice) = choice else {
        return Ok(all.swap_remove(0));
    };
    let wanted = choice.to_lowercase();
    let fits = |info: &DeviceInfo| match wanted.parse::<usize>() {
        Ok(index) => info.index == index,
        Err(_) => info.kind.name() == wanted || info.name.to_lowercase().contains(&wanted),
    };
    match all.iter().position(|(info, _)| fits(info)) {
        Some(at) => Ok(all.swap_remove(at)),
        None => {
            let names: Vec<String> =
                all.iter().map(|(info, _)| format!("{} {}", info.index, info.name)).collect();
            Err(GpuError::UnknownDevice { choice: choice.to_string(), known: names.join(", ") })
        }
    }
}

/// What kernels here take for granted; WebGPU promises all of it.
fn check_limits(info: &DeviceInfo, limits: &wgpu::Limits) -> Result<(), GpuError> {
    let needs = [
        ("storage buffers per kernel", 8, u64::from(limits.max_storage_buffers_per_shader_stage)),
        ("bytes of a binding", LEAST_BINDING, limits.max_storage_buffer_binding_size),
        ("bytes of a buffer", LEAST_BINDING, limits.max_buffer_size),
        ("threads per workgroup", 256, u64::from(limits.max_compute_invocations_per_workgroup)),
        ("threads in x", 256, u64::from(limits.max_compute_workgroup_size_x)),
        ("bytes per workgroup", 1 << 14, u64::from(limits.max_compute_workgroup_storage_size)),
    ];
    match needs.into_iter().find(|&(_, expected, actual)| actual < expected) {
        Some((what, expected, actual)) => {
            Err(GpuError::TooSmall { device: info.name.clone(), what, expected, actual })
        }
        None => Ok(()),
    }
}
