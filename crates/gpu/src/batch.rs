//! Kernels, and batches of dispatches.
//!
//! Every kernel has its parameters at binding 0 and its arrays behind them; both are declared
//! from its [`Source`], so that host and device agree. A batch collects steps, then encodes and
//! submits them some thousands at a time. Each step sees what the steps before it wrote.

use crate::array::Array;
use crate::device::{Device, PARAMS_BYTES};
use crate::kernel::Law;
use crate::{GpuError, Kernel};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// Threads per workgroup.
pub(crate) const GROUP: usize = 256;

/// Steps that are encoded together.
const SUBMIT: usize = 1 << 12;

/// How a kernel uses an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// The name, type and use of an array.
pub(crate) type Binding = (&'static str, &'static str, Access);

pub(crate) const fn read(name: &'static str, kind: &'static str) -> Binding {
    (name, kind, Access::Read)
}

pub(crate) const fn write(name: &'static str, kind: &'static str) -> Binding {
    (name, kind, Access::Write)
}

pub(crate) const VALUES: Binding = read("values", "Elem");
pub(crate) const OWN: Binding = write("own", "Elem");
pub(crate) const OTHER: Binding = read("other", "Elem");

/// Identities everywhere.
pub(crate) const FILL: Source =
    Source { params: &["count"], arrays: &[OWN], body: include_str!("wgsl/fill.wgsl") };

/// Own elements, each times its value.
pub(crate) const JOIN: Source =
    Source { params: &["count"], arrays: &[VALUES, OWN], body: include_str!("wgsl/join.wgsl") };

/// A kernel in two forms, whose functions read the arrays that it writes or others: what it reads
/// may lie in the same chunk, and no buffer can be bound for reading and for writing.
macro_rules! same_or_other {
    (
        $params:expr, [$($own:expr),*] or [$($other:expr),*],
        [$($function:literal: $same:literal or $there:literal),*], $body:literal
    ) => {
        [
            Source {
                params: $params,
                arrays: &[$($own),*],
                body: concat!(
                    $("fn ", $function, "(i: u32) -> Elem { return ", $same, "[i]; }\n",)*
                    include_str!($body)
                ),
            },
            Source {
                params: $params,
                arrays: &[$($own,)* $($other),*],
                body: concat!(
                    $("fn ", $function, "(i: u32) -> Elem { return ", $there, "[i]; }\n",)*
                    include_str!($body)
                ),
            },
        ]
    };
}
pub(crate) use same_or_other;

/// A kernel: what it is given, and its text. `Elem`, `combine` and `identity` are the operator's.
/// The text has a function `each` for the numbers below `params.count`, or its own `main`.
#[derive(Debug)]
pub(crate) struct Source {
    /// Names of numbers, at most twelve.
    pub(crate) params: &'static [&'static str],
    pub(crate) arrays: &'static [Binding],
    pub(crate) body: &'static str,
}

/// A compiled kernel.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

impl Source {
    fn text(&self, prelude: &str) -> String {
        let mut text = "struct Params { identity: vec4<u32>, ".to_string();
        self.params.iter().for_each(|name| text.push_str(&format!("{name}: u32, ")));
        text.push_str("}\n@group(0) @binding(0) var<uniform> params: Params;\n");
        for (k, (name, kind, access)) in self.arrays.iter().enumerate() {
            let access = if *access == Access::Read { "read" } else { "read_write" };
            let binding = format!("@group(0) @binding({}) var<storage, {access}>", k + 1);
            text.push_str(&format!("{binding} {name}: array<{kind}>;\n"));
        }
        let main = if self.body.contains("fn each(") { MAIN } else { "" };
        text + COMMON + prelude + self.body + main
    }

    fn compile(&self, device: &wgpu::Device, text: &str) -> Pipeline {
        let entry = |binding: usize, ty: wgpu::BufferBindingType, has_dynamic_offset: bool| {
            wgpu::BindGroupLayoutEntry {
                binding: binding as u32,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
                count: None,
            }
        };
        let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform, true)];
        for (k, (.., access)) in self.arrays.iter().enumerate() {
            let read_only = *access == Access::Read;
            entries.push(entry(k + 1, wgpu::BufferBindingType::Storage { read_only }, false));
        }
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &entries,
        });
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let shape = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            bind_group_layouts: &[Some(&layout)],
            ..Default::default()
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&shape),
            module: &module,
            entry_point: Some("main"),
            // Kernels write what they read of a workgroup's memory.
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        Pipeline { pipeline, layout }
    }
}

/// A dispatch is a rectangle of workgroups; this numbers them.
const COMMON: &str = "
fn group_number(group: vec3<u32>, groups: vec3<u32>) -> u32 { return group.x + group.y * groups.x; }
";

/// A thread for each number.
const MAIN: &str = "
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let i = group_number(group, groups) * 256u + me;
    if i < params.count { each(i); }
}
";

struct Step {
    pipeline: Arc<Pipeline>,
    arrays: Vec<wgpu::Buffer>,
    params: [u32; 16],
    groups: u32,
}

/// Steps to be run one after the other.
pub(crate) struct Batch<'d> {
    device: &'d Device,
    law: Law,
    steps: Vec<Step>,
    scratch: Vec<Array>,
}

impl<'d> Batch<'d> {
    /// A batch of kernels that know an operator.
    pub(crate) fn new<K: Kernel>(device: &'d Device, op: &K) -> Self {
        Batch::of(device, &Law::of(op))
    }

    /// As [`Batch::new`].
    pub(crate) fn of(device: &'d Device, law: &Law) -> Self {
        Batch { device, law: law.clone(), steps: Vec::new(), scratch: Vec::new() }
    }

    pub(crate) fn device(&self) -> &'d Device {
        self.device
    }

    /// Keeps arrays until all steps have run.
    pub(crate) fn keep(&mut self, arrays: impl IntoIterator<Item = Array>) {
        self.scratch.extend(arrays);
    }

    /// The compiled kernel.
    pub(crate) fn kernel(&self, source: &Source) -> Result<Arc<Pipeline>, GpuError> {
        let text = source.text(&self.law.prelude);
        self.device.pipeline(&text, || source.compile(self.device.raw(), &text))
    }

    /// The two kernels of [`same_or_other`]. Where there is one chunk only, nothing lies in
    /// another: the second is not compiled.
    pub(crate) fn both(
        &self,
        forms: &[Source; 2],
        chunks: usize,
    ) -> Result<[Arc<Pipeline>; 2], GpuError> {
        let same = self.kernel(&forms[0])?;
        let other = if chunks > 1 { self.kernel(&forms[1])? } else { same.clone() };
        Ok([same, other])
    }

    /// Adds a dispatch of so many workgroups; none is no step.
    pub(crate) fn push(
        &mut self,
        pipeline: &Arc<Pipeline>,
        arrays: &[&wgpu::Buffer],
        numbers: &[u32],
        groups: usize,
    ) {
        if groups == 0 {
            return;
        }
        let mut params = [0; 16];
        params[..4].copy_from_slice(&self.law.identity);
        params[4..4 + numbers.len()].copy_from_slice(numbers);
        let arrays = arrays.iter().map(|&a| a.clone()).collect();
        self.steps.push(Step { pipeline: pipeline.clone(), arrays, params, groups: groups as u32 });
    }

    /// As [`Batch::push`], with a thread for each of `count` elements; the first parameter is
    /// their number.
    pub(crate) fn each(
        &mut self,
        pipeline: &Arc<Pipeline>,
        arrays: &[&wgpu::Buffer],
        numbers: &[u32],
    ) {
        let count = numbers[0] as usize;
        self.push(pipeline, arrays, numbers, count.div_ceil(GROUP));
    }

    /// As [`Batch::each`], with a thread for each element of arrays of one length.
    pub(crate) fn all(&mut self, pipeline: &Arc<Pipeline>, arrays: &[&Array]) {
        for k in 0..arrays[0].count() {
            let chunks: Vec<&wgpu::Buffer> = arrays.iter().map(|array| array.chunk(k)).collect();
            self.each(pipeline, &chunks, &[arrays[0].range(k).len() as u32]);
        }
    }

    /// Runs all steps and waits for them; the seconds it took.
    pub(crate) fn run(self) -> Result<f64, GpuError> {
        self.start()?.wait()
    }

    /// Sends all steps on their way.
    pub(crate) fn start(self) -> Result<Running, GpuError> {
        self.device.check()?;
        let start = Instant::now();
        let most =
            (self.device.bounds().buffer / u64::from(self.device.bounds().alignment)) as usize;
        for steps in self.steps.chunks(SUBMIT.min(most)) {
            self.submit(steps)?;
        }
        Ok(Running { device: self.device.clone(), start, scratch: self.scratch })
    }

    fn submit(&self, steps: &[Step]) -> Result<(), GpuError> {
        let bounds = self.device.bounds();
        let stride = bounds.alignment as usize;
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let bytes = (steps.len() * stride) as u64;
        let params = self.device.allocate(bytes, usage, false)?;
        self.device.release(bytes);
        let mut numbers = vec![0u8; steps.len() * stride];
        for (step, to) in steps.iter().zip(numbers.chunks_mut(stride)) {
            to[..PARAMS_BYTES as usize].copy_from_slice(bytemuck::bytes_of(&step.params));
        }
        self.device.queue().write_buffer(&params, 0, &numbers);
        let mut encoder = self.device.raw().create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        // A buffer's hash is its number, which does not change.
        #[allow(clippy::mutable_key_type)]
        let mut known: HashMap<(*const Pipeline, &[wgpu::Buffer]), wgpu::BindGroup> =
            HashMap::new();
        for (k, step) in steps.iter().enumerate() {
            let group = known
                .entry((Arc::as_ptr(&step.pipeline), &step.arrays))
                .or_insert_with(|| self.bind(step, &params));
            pass.set_pipeline(&step.pipeline.pipeline);
            pass.set_bind_group(0, &*group, &[(k * stride) as u32]);
            let wide = step.groups.min(bounds.groups);
            pass.dispatch_workgroups(wide, step.groups.div_ceil(wide), 1);
        }
        drop(pass);
        self.device.queue().submit([encoder.finish()]);
        self.device.check()
    }

    fn bind(&self, step: &Step, params: &wgpu::Buffer) -> wgpu::BindGroup {
        let size = std::num::NonZeroU64::new(u64::from(PARAMS_BYTES));
        let first = wgpu::BufferBinding { buffer: params, offset: 0, size };
        let mut entries = vec![wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::Buffer(first),
        }];
        for (k, array) in step.arrays.iter().enumerate() {
            let resource = array.as_entire_binding();
            entries.push(wgpu::BindGroupEntry { binding: k as u32 + 1, resource });
        }
        self.device.raw().create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &step.pipeline.layout,
            entries: &entries,
        })
    }
}

/// Steps on their way, and the arrays that only they use.
pub(crate) struct Running {
    device: Device,
    start: Instant,
    scratch: Vec<Array>,
}

impl Running {
    /// Keeps an array until all steps have run.
    pub(crate) fn keep(&mut self, array: Array) {
        self.scratch.push(array);
    }

    /// The seconds since the first step was sent.
    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Waits for everything that the device was given; the seconds since the first step.
    pub(crate) fn wait(self) -> Result<f64, GpuError> {
        self.device.wait(self.start)
    }
}
