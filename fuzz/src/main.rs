//! All readers in one fuzzer: `FUZZ_TARGET` says which. One program is built once; `make fuzz` runs it
//! for every target.
#![no_main]

mod targets;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use targets::{Check, TARGETS};

static CHECK: LazyLock<Check> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(target, _)| *target == name);
    let (_, check) = found.unwrap_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
        panic!("FUZZ_TARGET is `{name}`, but the targets are {}", names.join(", "))
    });
    *check
});

fuzz_target!(|data: &[u8]| CHECK(data));
