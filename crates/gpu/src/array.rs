//! Arrays on a device, in chunks that a kernel can bind.

use crate::device::Device;
use crate::{Element, GpuError, Kernel};
use bytemuck::Pod;
use std::marker::PhantomData;
use std::ops::Range;
use std::time::Instant;

/// An array of elements of one size, in chunks of [`Bounds::chunk`](crate::device::Bounds).
#[derive(Debug)]
pub(crate) struct Array {
    device: Device,
    chunks: Vec<wgpu::Buffer>,
    len: usize,
    bytes: u64,
}

const USAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST);

impl Array {
    /// An array whose content is of no interest yet.
    pub(crate) fn new<T>(device: &Device, len: usize) -> Result<Array, GpuError> {
        Array::make::<T>(device, len, |_, bytes| device.allocate(bytes, USAGE, false))
    }

    /// An array with this content. What it holds is on its way when this returns.
    pub(crate) fn from_slice<T: Pod>(device: &Device, content: &[T]) -> Result<Array, GpuError> {
        Array::make::<T>(device, content.len(), |range, bytes| {
            let buffer = device.allocate(bytes, USAGE, true)?;
            let from: &[u8] = bytemuck::cast_slice(&content[range]);
            let view = buffer.get_mapped_range_mut(..from.len() as u64);
            let mut view = view.map_err(|e| GpuError::Refused { reason: e.to_string() })?;
            view.copy_from_slice(from);
            drop(view);
            buffer.unmap();
            Ok(buffer)
        })
    }

    fn make<T>(
        device: &Device,
        len: usize,
        mut chunk: impl FnMut(Range<usize>, u64) -> Result<wgpu::Buffer, GpuError>,
    ) -> Result<Array, GpuError> {
        let mut array = Array { device: device.clone(), chunks: Vec::new(), len, bytes: 0 };
        let size = device.bounds().chunk;
        for first in (0..len).step_by(size) {
            let range = first..(first + size).min(len);
            let bytes = (range.len() * size_of::<T>()) as u64;
            array.chunks.push(chunk(range, bytes)?);
            array.bytes += bytes;
        }
        Ok(array)
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number of chunks.
    pub(crate) fn count(&self) -> usize {
        self.chunks.len()
    }

    pub(crate) fn chunk(&self, k: usize) -> &wgpu::Buffer {
        &self.chunks[k]
    }

    /// The places of a chunk.
    pub(crate) fn range(&self, k: usize) -> Range<usize> {
        let size = self.device.bounds().chunk;
        k * size..((k + 1) * size).min(self.len)
    }

    /// The content, and the seconds that bringing it took.
    pub(crate) fn read<T: Pod>(&self) -> Result<(Vec<T>, f64), GpuError> {
        let start = Instant::now();
        let mut content = Vec::with_capacity(self.len);
        for k in 0..self.count() {
            self.read_chunk(k, size_of::<T>() as u64, &mut content)?;
        }
        Ok((content, start.elapsed().as_secs_f64()))
    }

    fn read_chunk<T: Pod>(&self, k: usize, size: u64, to: &mut Vec<T>) -> Result<(), GpuError> {
        let device = &self.device;
        let bytes = self.range(k).len() as u64 * size;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let staging = device.allocate(bytes, usage, false)?;
        device.release(bytes);
        let mut encoder = device.raw().create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(self.chunk(k), 0, &staging, 0, Some(bytes));
        device.queue().submit([encoder.finish()]);
        staging.map_async(wgpu::MapMode::Read, .., |_| ());
        device.wait(Instant::now())?;
        let view = staging.get_mapped_range(..);
        let view = view.map_err(|e| GpuError::Refused { reason: e.to_string() })?;
        // The view is a buffer's: it begins at a multiple of eight.
        to.extend_from_slice(bytemuck::cast_slice(&view));
        Ok(())
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        self.device.release(self.bytes);
    }
}

/// Values on a device, one per position. They stay there until they are dropped.
#[derive(Debug)]
pub struct DeviceValues<E> {
    pub(crate) array: Array,
    seconds: f64,
    /// The first value that is infinite or not a number, where the host has looked.
    strange: Option<(usize, bool)>,
    element: PhantomData<E>,
}

impl<E: Element> DeviceValues<E> {
    /// Brings values to a device.
    ///
    /// # Errors
    /// Too little memory, or a lost device.
    pub fn upload(device: &Device, values: &[E]) -> Result<DeviceValues<E>, GpuError> {
        const { assert!(E::WORDS > 0) };
        let strange = values.iter().position(|x| !x.is_finite());
        // NaN is worse than infinity.
        let nan = strange.and_then(|first| {
            values[first..].iter().position(E::is_nan).map(|k| (first + k, true))
        });
        let (array, seconds) = device.sent(|| Array::from_slice(device, values))?;
        let strange = nan.or(strange.map(|k| (k, false)));
        Ok(DeviceValues { array, seconds, strange, element: PhantomData })
    }

    pub(crate) fn computed(array: Array, seconds: f64) -> DeviceValues<E> {
        DeviceValues { array, seconds, strange: None, element: PhantomData }
    }

    /// Brings the values back, with the seconds that it took.
    ///
    /// # Errors
    /// Too little memory, or a lost device.
    pub fn download(&self) -> Result<(Vec<E>, f64), GpuError> {
        self.array.read()
    }

    /// The seconds it took to make these values: the transfer of values that were brought up,
    /// the computing of others.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.array.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there are as many values as vertices, on the same device, and none beyond what the
    /// kernels of an operator are sure of.
    pub(crate) fn check<K: Kernel<Elem = E>>(
        &self,
        device: &Device,
        vertices: usize,
        op: &K,
    ) -> Result<(), GpuError> {
        GpuError::check_length(vertices, self.len())?;
        if !self.array.device().same(device) {
            return Err(GpuError::OtherDevice);
        }
        match self.strange {
            Some((position, nan)) if nan || !op.takes_infinity() => {
                Err(GpuError::NotFinite { position, nan })
            }
            _ => Ok(()),
        }
    }
}
