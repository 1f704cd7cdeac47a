//! The library on small inputs. Its own tests are here, and not beside its code, because those would
//! make cargo compile all of it once more.

mod aggregate;
mod clock;
#[cfg(feature = "gpu")]
mod device;
mod edit;
mod element_mapping;
mod feeders;
mod network;
#[cfg(feature = "pictures")]
mod pictures;
mod program;
#[cfg(unix)]
mod ranks;
#[cfg(feature = "pictures")]
mod study;
mod sweep;
