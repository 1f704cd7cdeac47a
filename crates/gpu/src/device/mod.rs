//! Devices: the list of those available, and an open one.
//!
//! An open [`Device`] keeps its compiled kernels and counts its memory. What a driver reports
//! out of turn (a lost device, too little memory, a kernel it refuses) is kept and becomes the
//! error of the call that is under way.

mod info;
mod open;

pub use info::{DeviceInfo, DeviceKind, devices};
pub use open::DeviceParams;
pub(crate) use open::PARAMS_BYTES;

use crate::GpuError;
use crate::batch::Pipeline;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// An open device. Clones are handles of the same one.
#[derive(Debug, Clone)]
pub struct Device {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: DeviceInfo,
    limits: Bounds,
    used: AtomicU64,
    pipelines: Mutex<HashMap<String, Arc<Pipeline>>>,
    trouble: Arc<Mutex<Trouble>>,
}

/// What bounds arrays and dispatches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Elements of a chunk, a power of two: of at most 16 bytes each they fit a binding.
    pub(crate) chunk: usize,
    /// Workgroups per dimension of a dispatch.
    pub(crate) groups: u32,
    /// Where parameters may begin in a buffer of them.
    pub(crate) alignment: u32,
    /// Bytes of a buffer.
    pub(crate) buffer: u64,
    /// Bytes of all arrays together.
    pub(crate) memory: u64,
}

/// What the driver reported.
#[derive(Debug, Default)]
struct Trouble {
    lost: Option<String>,
    exhausted: bool,
    refused: Option<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Device {
    /// What is known of the device.
    pub fn info(&self) -> &DeviceInfo {
        &self.inner.info
    }

    /// Bytes that arrays take now.
    pub fn memory_used(&self) -> u64 {
        self.inner.used.load(Ordering::Relaxed)
    }

    /// Gives the device back: every later call on it fails with [`GpuError::Lost`].
    pub fn close(&self) {
        self.inner.device.destroy();
        lock(&self.inner.trouble).lost.get_or_insert_with(|| "it was closed".to_string());
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.inner.limits
    }

    pub(crate) fn raw(&self) -> &wgpu::Device {
        &self.inner.device
    }

    pub(crate) fn queue(&self) -> &wgpu::Queue {
        &self.inner.queue
    }

    pub(crate) fn same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// The compiled kernel for a text, compiling it the first time.
    pub(crate) fn pipeline(
        &self,
        text: &str,
        make: impl FnOnce() -> Pipeline,
    ) -> Result<Arc<Pipeline>, GpuError> {
        if let Some(known) = lock(&self.inner.pipelines).get(text) {
            return Ok(known.clone());
        }
        let made = Arc::new(make());
        self.check()?;
        lock(&self.inner.pipelines).insert(text.to_string(), made.clone());
        Ok(made)
    }

    /// A buffer that counts as used memory until [`Device::release`].
    pub(crate) fn allocate(
        &self,
        bytes: u64,
        usage: wgpu::BufferUsages,
        mapped_at_creation: bool,
    ) -> Result<wgpu::Buffer, GpuError> {
        self.check()?;
        let used = self.inner.used.fetch_add(bytes, Ordering::Relaxed);
        let memory = GpuError::Memory { needed: bytes, used };
        if used.saturating_add(bytes) > self.inner.limits.memory {
            self.release(bytes);
            return Err(memory);
        }
        let buffer = self.inner.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes,
            usage,
            mapped_at_creation,
        });
        let exhausted = std::mem::take(&mut lock(&self.inner.trouble).exhausted);
        let outcome = if exhausted { Err(memory) } else { self.check() };
        match outcome {
            Ok(()) => Ok(buffer),
            Err(error) => {
                self.release(bytes);
                Err(error)
            }
        }
    }

    pub(crate) fn release(&self, bytes: u64) {
        self.inner.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Waits until the device has done all it was given; the seconds since `start`.
    pub(crate) fn wait(&self, start: Instant) -> Result<f64, GpuError> {
        self.wait_for(None)?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Waits for what was sent at some time, or for all.
    pub(crate) fn wait_for(&self, sent: Option<wgpu::SubmissionIndex>) -> Result<(), GpuError> {
        let wait = wgpu::PollType::Wait { submission_index: sent, timeout: None };
        let polled = self.inner.device.poll(wait);
        self.check()?;
        polled.map_err(|error| GpuError::Refused { reason: error.to_string() })?;
        Ok(())
    }

    /// What is made and sent to the device, and the seconds until it is there.
    pub(crate) fn sent<T>(
        &self,
        make: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<(T, f64), GpuError> {
        let start = Instant::now();
        let made = make()?;
        self.queue().submit([]);
        Ok((made, self.wait(start)?))
    }

    /// What the driver reported since the last look.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        let mut trouble = lock(&self.inner.trouble);
        if let Some(reason) = &trouble.lost {
            return Err(GpuError::Lost { reason: reason.clone() });
        }
        if std::mem::take(&mut trouble.exhausted) {
            return Err(GpuError::Memory { needed: 0, used: self.memory_used() });
        }
        match trouble.refused.take() {
            Some(reason) => Err(GpuError::Refused { reason }),
            None => Ok(()),
        }
    }
}
