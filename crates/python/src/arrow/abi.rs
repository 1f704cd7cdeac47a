//! The structures of Arrow's C data interface, which never change: whoever has one may call its
//! `release`, once, and then it is empty.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// The name and type of a column.
#[repr(C)]
pub(crate) struct ArrowSchema {
    pub(crate) format: *const c_char,
    pub(crate) name: *const c_char,
    pub(crate) metadata: *const c_char,
    pub(crate) flags: i64,
    pub(crate) n_children: i64,
    pub(crate) children: *mut *mut ArrowSchema,
    pub(crate) dictionary: *mut ArrowSchema,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub(crate) private_data: *mut c_void,
}

/// The entries of a column.
#[repr(C)]
pub(crate) struct ArrowArray {
    pub(crate) length: i64,
    pub(crate) null_count: i64,
    pub(crate) offset: i64,
    pub(crate) n_buffers: i64,
    pub(crate) n_children: i64,
    pub(crate) buffers: *mut *const c_void,
    pub(crate) children: *mut *mut ArrowArray,
    pub(crate) dictionary: *mut ArrowArray,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub(crate) private_data: *mut c_void,
}

/// Arrays of one type, one after another.
#[repr(C)]
pub(crate) struct ArrowStream {
    pub(crate) get_schema:
        Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowSchema) -> c_int>,
    pub(crate) get_next: Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowArray) -> c_int>,
    pub(crate) get_last_error: Option<unsafe extern "C" fn(*mut ArrowStream) -> *const c_char>,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowStream)>,
    pub(crate) private_data: *mut c_void,
}

/// The names of the capsules that hold them.
pub(crate) const SCHEMA: &CStr = c"arrow_schema";
pub(crate) const ARRAY: &CStr = c"arrow_array";
pub(crate) const STREAM: &CStr = c"arrow_array_stream";

/// Set where rows may be null.
pub(crate) const NULLABLE: i64 = 2;

/// One of them.
pub(crate) trait Released {
    /// One that holds nothing.
    fn empty() -> Self;
}

impl Released for ArrowSchema {
    fn empty() -> ArrowSchema {
        ArrowSchema {
            format: null(),
            name: null(),
            metadata: null(),
            flags: 0,
            n_children: 0,
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }
}

impl Released for ArrowArray {
    fn empty() -> ArrowArray {
        ArrowArray {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: null_mut(),
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }
}

impl Released for ArrowStream {
    fn empty() -> ArrowStream {
        ArrowStream {
            get_schema: None,
            get_next: None,
            get_last_error: None,
            release: None,
            private_data: null_mut(),
        }
    }
}

macro_rules! released {
    ($($name:ident),*) => {$(
        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: it was not released, and nobody else has it.
                    unsafe { release(self) }
                }
            }
        }

        // SAFETY: the interface lets any thread read and release what it was given.
        unsafe impl Send for $name {}
        // SAFETY: as above; nothing is written through a shared reference.
        unsafe impl Sync for $name {}
    )*};
}
released!(ArrowSchema, ArrowArray, ArrowStream);
