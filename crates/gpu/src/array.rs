//! Arrays on a device, in chunks that a kernel can bind.

use crate::device::Device;
use crate::kernel::Law;
use crate::{Element, GpuError};
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
    /// Elements of a chunk, and bytes of an element.
    size: usize,
    element: usize,
}

const USAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST);

/// Elements that are made on the host before they are copied to where the device takes them from.
const BLOCK: usize = 1 << 16;

impl Array {
    /// An array whose content is of no interest yet.
    pub(crate) fn new<T>(device: &Device, len: usize) -> Result<Array, GpuError> {
        Array::of_bytes(device, len, size_of::<T>())
    }

    /// As [`Array::new`], of elements with so many bytes.
    pub(crate) fn of_bytes(device: &Device, len: usize, element: usize) -> Result<Array, GpuError> {
        let size = device.bounds().chunk;
        Array::make(device, len, size, element, |_, bytes| device.allocate(bytes, USAGE, false))
    }

    /// An array with this content. What it holds is on its way when this returns.
    pub(crate) fn from_slice<T: Pod>(device: &Device, content: &[T]) -> Result<Array, GpuError> {
        Array::in_chunks(device, content, device.bounds().chunk)
    }

    /// As [`Array::from_slice`], in one chunk whatever its length: the caller knows that it can be
    /// bound.
    pub(crate) fn in_one<T: Pod>(device: &Device, content: &[T]) -> Result<Array, GpuError> {
        Array::in_chunks(device, content, content.len().max(1))
    }

    fn in_chunks<T: Pod>(device: &Device, content: &[T], size: usize) -> Result<Array, GpuError> {
        Array::make(device, content.len(), size, size_of::<T>(), |range, bytes| {
            let bytes_of: &[u8] = bytemuck::cast_slice(&content[range]);
            mapped(device, bytes, |view| {
                view.copy_from_slice(bytes_of);
            })
        })
    }

    /// An array of elements with so many words that `fill` writes, a block at a time, from the
    /// place on that it is given.
    pub(crate) fn filled(
        device: &Device,
        len: usize,
        words: usize,
        fill: &dyn Fn(usize, &mut [u32]),
    ) -> Result<Array, GpuError> {
        let mut block = vec![0u32; BLOCK.min(len) * words];
        Array::make(device, len, device.bounds().chunk, 4 * words, |range, bytes| {
            mapped(device, bytes, |view| {
                for first in range.clone().step_by(BLOCK) {
                    let block = &mut block[..BLOCK.min(range.end - first) * words];
                    fill(first, block);
                    let from: &[u8] = bytemuck::cast_slice(block);
                    let at = (first - range.start) * 4 * words;
                    view.slice(at..at + from.len()).copy_from_slice(from);
                }
            })
        })
    }

    fn make(
        device: &Device,
        len: usize,
        size: usize,
        element: usize,
        mut chunk: impl FnMut(Range<usize>, u64) -> Result<wgpu::Buffer, GpuError>,
    ) -> Result<Array, GpuError> {
        let mut array = Array { device: device.clone(), chunks: Vec::new(), len: 0, size, element };
        for first in (0..len).step_by(size) {
            let range = first..(first + size).min(len);
            let (end, bytes) = (range.end, (range.len() * element) as u64);
            array.chunks.push(chunk(range, bytes)?);
            // What is dropped after an error has what was made so far.
            array.len = end;
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
        k * self.size..((k + 1) * self.size).min(self.len)
    }

    /// The content, and the seconds that bringing it took.
    pub(crate) fn read<T: Pod>(&self) -> Result<(Vec<T>, f64), GpuError> {
        let start = Instant::now();
        let mut content = Vec::with_capacity(self.len);
        for chunk in self.fetch()?.chunks()? {
            // The view is a buffer's: it begins at a multiple of eight.
            content.extend_from_slice(bytemuck::cast_slice(&chunk));
        }
        Ok((content, start.elapsed().as_secs_f64()))
    }

    /// Sends for the content, once the device has done what it was given before.
    pub(crate) fn fetch(&self) -> Result<Fetched, GpuError> {
        let device = &self.device;
        let mut encoder = device.raw().create_command_encoder(&Default::default());
        let mut staging = Vec::with_capacity(self.count());
        for k in 0..self.count() {
            let bytes = (self.range(k).len() * self.element) as u64;
            let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
            let buffer = device.allocate(bytes, usage, false)?;
            device.release(bytes);
            encoder.copy_buffer_to_buffer(self.chunk(k), 0, &buffer, 0, Some(bytes));
            staging.push(buffer);
        }
        let sent = device.queue().submit([encoder.finish()]);
        staging.iter().for_each(|buffer| buffer.map_async(wgpu::MapMode::Read, .., |_| ()));
        Ok(Fetched { device: device.clone(), staging, sent })
    }
}

/// A new buffer that the host has written.
fn mapped(
    device: &Device,
    bytes: u64,
    write: impl FnOnce(&mut wgpu::BufferViewMut),
) -> Result<wgpu::Buffer, GpuError> {
    let buffer = device.allocate(bytes, USAGE, true)?;
    let view = buffer.get_mapped_range_mut(..bytes);
    write(&mut view.map_err(|e| GpuError::Refused { reason: e.to_string() })?);
    buffer.unmap();
    Ok(buffer)
}

/// The content of an array on its way to the host.
pub(crate) struct Fetched {
    device: Device,
    staging: Vec<wgpu::Buffer>,
    sent: wgpu::SubmissionIndex,
}

impl Fetched {
    /// Waits for the content.
    pub(crate) fn arrived(self) -> Result<Fetched, GpuError> {
        self.device.wait_for(Some(self.sent.clone()))?;
        Ok(self)
    }

    /// Its bytes, by chunk; waits for them.
    pub(crate) fn chunks(self) -> Result<Vec<wgpu::BufferView>, GpuError> {
        self.device.wait_for(Some(self.sent))?;
        let view = |buffer: &wgpu::Buffer| {
            let view = buffer.get_mapped_range(..);
            view.map_err(|e| GpuError::Refused { reason: e.to_string() })
        };
        self.staging.iter().map(view).collect()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        self.device.release((self.len * self.element) as u64);
    }
}

/// The first value that is not a number, or else the first that is infinite: where, and whether
/// it is the former, which is worse.
pub(crate) fn strange<E: Element>(values: &[E]) -> Option<(usize, bool)> {
    let first = values.iter().position(|x| !x.is_finite())?;
    let nan = values[first..].iter().position(E::is_nan);
    Some(nan.map_or((first, false), |k| (first + k, true)))
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
        let (array, seconds) = device.sent(|| Array::from_slice(device, values))?;
        let strange = strange(values);
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
    pub(crate) fn check(
        &self,
        device: &Device,
        vertices: usize,
        law: &Law,
    ) -> Result<(), GpuError> {
        GpuError::check_length(vertices, self.len())?;
        if !self.array.device().same(device) {
            return Err(GpuError::OtherDevice);
        }
        match self.strange {
            Some((position, nan)) if nan || !law.takes_infinity => {
                Err(GpuError::NotFinite { position, nan })
            }
            _ => Ok(()),
        }
    }
}
