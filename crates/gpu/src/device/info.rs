//! The devices of a machine.

use palmette_core::named;

named! {
    /// What kind of device it is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum DeviceKind("kind of device") {
        /// A graphics card with memory of its own.
        Discrete = "discrete",
        /// A graphics processor that shares the host's memory.
        Integrated = "integrated",
        /// A graphics processor of a virtual machine.
        Virtual = "virtual",
        /// Something else.
        Other = "other",
        /// The host's processor: shows that kernels are right, not how fast they are.
        Software = "software",
    }
}

/// What is known of a device before it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its place among [`devices`].
    pub index: usize,
    /// What its driver calls it.
    pub name: String,
    /// What kind of device it is.
    pub kind: DeviceKind,
    /// The interface: vulkan, metal or dx12.
    pub backend: String,
    /// The driver and its version.
    pub driver: String,
    /// The largest array a kernel can bind, in bytes.
    pub binding_bytes: u64,
    /// The largest buffer, in bytes.
    pub buffer_bytes: u64,
    /// Workgroups per dimension of a dispatch.
    pub workgroups: u32,
}

/// The devices of this machine, the most promising first: cards before software, otherwise in
/// the drivers' order. An empty list is not an error.
pub fn devices() -> Vec<DeviceInfo> {
    adapters().into_iter().map(|(info, _)| info).collect()
}

/// The adapters that run compute kernels.
pub(super) fn adapters() -> Vec<(DeviceInfo, wgpu::Adapter)> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let computes = |adapter: &wgpu::Adapter| {
        let flags = adapter.get_downlevel_capabilities().flags;
        flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
    };
    let mut all: Vec<_> =
        found.into_iter().filter(computes).map(|adapter| (describe(&adapter), adapter)).collect();
    all.sort_by_key(|(info, _)| info.kind);
    all.iter_mut().enumerate().for_each(|(index, (info, _))| info.index = index);
    all
}

fn describe(adapter: &wgpu::Adapter) -> DeviceInfo {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    DeviceInfo {
        index: 0,
        name: info.name,
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => DeviceKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => DeviceKind::Integrated,
            wgpu::DeviceType::VirtualGpu => DeviceKind::Virtual,
            wgpu::DeviceType::Cpu => DeviceKind::Software,
            wgpu::DeviceType::Other => DeviceKind::Other,
        },
        backend: info.backend.to_string(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_string(),
        binding_bytes: limits.max_storage_buffer_binding_size,
        buffer_bytes: limits.max_buffer_size,
        workgroups: limits.max_compute_workgroups_per_dimension,
    }
}
