//! What may go wrong on a device.

use thiserror::Error;

/// Why something was not done on a device.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum GpuError {
    /// No adapter at all.
    #[error(
        "no device found; install a driver for Vulkan, Metal or DX12 (Debian's mesa-vulkan-drivers \
        has one in software)"
    )]
    NoDevice,
    /// A choice that no adapter fits.
    #[error("no device matches '{choice}'; available: {known}")]
    UnknownDevice { choice: String, known: String },
    /// A device without what every kernel here needs.
    #[error("device '{device}' has too few {what}: {actual}; at least {expected} are needed")]
    TooSmall { device: String, what: &'static str, expected: u64, actual: u64 },
    /// The driver does not open the device.
    #[error("cannot open device '{device}': {reason}")]
    NotOpened { device: String, reason: String },
    /// Too little memory on the device.
    #[error("not enough device memory: {needed} bytes needed in addition to the {used} in use")]
    Memory { needed: u64, used: u64 },
    /// The device is gone: unplugged, reset by its driver, or given back.
    #[error("the device was lost: {reason}")]
    Lost { reason: String },
    /// The driver refuses a kernel or a command: an operator whose text is not WGSL, or a bug.
    #[error("the device refused a command: {reason}")]
    Refused { reason: String },
    /// Values of one device and a tree of another.
    #[error("the values and the tree are on different devices")]
    OtherDevice,
    /// The number of values is not the number of vertices.
    #[error("{actual} values for {expected} vertices")]
    Length { expected: usize, actual: usize },
    /// A float that WGSL makes no promises for.
    #[error(
        "the value at position {position} is {}; devices need not follow IEEE 754 for it",
        if *.nan { "not a number" } else { "infinite" }
    )]
    NotFinite { position: usize, nan: bool },
    /// The Euler tour is longer than 32-bit indices reach.
    #[error("{vertices} vertices; devices take at most {most}")]
    TooManyVertices { vertices: usize, most: usize },
    /// A tree that does not fit a packet.
    #[error("a tree has {vertices} vertices; many trees at once may have at most {most} each")]
    LargeTree { vertices: usize, most: usize },
    /// An operator that loops, on vertices with many children.
    #[error(
        "a thread would go through {rounds} rounds of loops, and drivers end kernels after about \
        {most}"
    )]
    LongKernel { rounds: usize, most: usize },
    /// A pair, counted from 0, names a vertex that does not exist.
    #[error("pair {pair} names position {position}, but there are {vertices} vertices")]
    NoSuchVertex { pair: usize, position: u32, vertices: usize },
}

impl GpuError {
    pub(crate) fn check_length(expected: usize, actual: usize) -> Result<(), GpuError> {
        if actual == expected { Ok(()) } else { Err(GpuError::Length { expected, actual }) }
    }
}
