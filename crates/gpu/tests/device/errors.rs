//! What may go wrong.

use crate::open::{plain, split};
use palmette_core::operator::{Min, Sum};
use palmette_core::{Monoid, NONE, Tree};
use palmette_gpu::{Device, DeviceParams, DeviceTree, GpuError, Kernel, leaffix, rootfix};
use palmette_tree::Scope;

fn small() -> Tree {
    Tree::from_parents(&[NONE, 0, 0, 2]).unwrap()
}

#[test]
fn a_device_that_is_not_there() {
    let choice = Some("abacus".to_string());
    let error = Device::open(&DeviceParams { choice, ..Default::default() }).unwrap_err();
    assert!(matches!(error, GpuError::UnknownDevice { .. }));
    assert!(error.to_string().contains("'abacus'") && error.to_string().contains("0 "));
}

#[test]
fn too_little_memory() {
    let params = DeviceParams { memory: Some(100), ..Default::default() };
    let device = Device::open(&params).unwrap();
    let tree = small();
    let on = DeviceTree::new(&device, &tree).unwrap();
    let values = on.upload(&[1u64; 4]).unwrap();
    assert_eq!(device.memory_used(), 32);
    let error = rootfix::euler(&on, &values, &Sum::new(), Scope::Inclusive).unwrap_err();
    assert!(matches!(error, GpuError::Memory { .. }), "{error}");
    assert_eq!(device.memory_used(), 32 + 32, "the tour is there, all else is released");
}

#[test]
fn a_lost_device() {
    let device = Device::open(&DeviceParams::default()).unwrap();
    let tree = small();
    let on = DeviceTree::new(&device, &tree).unwrap();
    let values = on.upload(&[1u32; 4]).unwrap();
    let sums = leaffix::euler(&on, &values, &Sum::new(), Scope::Inclusive).unwrap();
    device.close();
    let lost = |error| matches!(error, GpuError::Lost { .. });
    assert!(lost(leaffix::euler(&on, &values, &Sum::new(), Scope::Inclusive).unwrap_err()));
    assert!(lost(sums.download().unwrap_err()));
    assert!(lost(on.upload(&[1u32; 4]).unwrap_err()));
}

#[test]
fn values_that_do_not_suit() {
    let tree = small();
    let on = DeviceTree::new(plain(), &tree).unwrap();
    assert_eq!(on.upload(&[1u32]).unwrap_err(), GpuError::Length { expected: 4, actual: 1 });
    let elsewhere = DeviceTree::new(split(), &tree).unwrap().upload(&[1u32; 4]).unwrap();
    let error = rootfix::euler(&on, &elsewhere, &Sum::new(), Scope::Inclusive).unwrap_err();
    assert_eq!(error, GpuError::OtherDevice);
    let infinite = on.upload(&[1.0f32, 2.0, f32::INFINITY, 3.0]).unwrap();
    let error = rootfix::euler(&on, &infinite, &Sum::new(), Scope::Inclusive).unwrap_err();
    assert_eq!(error, GpuError::NotFinite { position: 2, nan: false });
}

/// A kernel that is no WGSL.
struct Nonsense;

impl Monoid for Nonsense {
    type Elem = u32;
    fn identity(&self) -> u32 {
        0
    }
    fn combine(&self, left: u32, _: u32) -> u32 {
        left
    }
}

impl Kernel for Nonsense {
    fn combine_wgsl(&self) -> String {
        "return left plus right;".to_string()
    }
}

#[test]
fn a_kernel_that_is_none() {
    let device = Device::open(&DeviceParams::default()).unwrap();
    let tree = small();
    let on = DeviceTree::new(&device, &tree).unwrap();
    let values = on.upload(&[1u32, 2, 3, 4]).unwrap();
    let error = leaffix::contract(&on, &values, &Nonsense, Scope::Inclusive).unwrap_err();
    assert!(matches!(&error, GpuError::Refused { reason } if reason.contains("plus")), "{error}");
    let sums = leaffix::contract(&on, &values, &Sum::new(), Scope::Inclusive).unwrap();
    assert_eq!(sums.download().unwrap().0, [10, 2, 7, 4], "the device is as good as before");
}

#[test]
fn numbers_beyond_floats() {
    let tree = small();
    let on = DeviceTree::new(plain(), &tree).unwrap();
    let x = [1.0f32, f32::NEG_INFINITY, 2.0, f32::INFINITY];
    let infinite = on.upload(&x).unwrap();
    let least = leaffix::contract(&on, &infinite, &Min::new(), Scope::Inclusive).unwrap();
    let expected = [f32::NEG_INFINITY, f32::NEG_INFINITY, 2.0, f32::INFINITY];
    assert_eq!(least.download().unwrap().0, expected, "infinities are compared as bits");
    let nan = on.upload(&[f64::INFINITY, 1.0, f64::NAN, 2.0]).unwrap();
    let error = leaffix::contract(&on, &nan, &Min::new(), Scope::Inclusive).unwrap_err();
    assert_eq!(error, GpuError::NotFinite { position: 2, nan: true });
}

#[test]
fn nothing_to_do() {
    let tree = Tree::from_parents(&[]).unwrap();
    let on = DeviceTree::new(plain(), &tree).unwrap();
    let none = on.upload::<u32>(&[]).unwrap();
    for engine in [rootfix::euler, leaffix::levels, leaffix::contract, rootfix::contract] {
        let sums = engine(&on, &none, &Sum::<u32>::new(), Scope::Inclusive).unwrap();
        assert!(sums.is_empty() && sums.download().unwrap().0.is_empty());
    }
}
