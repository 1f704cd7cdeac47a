//! The study of devices, in one run.
//!
//! `palmette-bench gpu [--device DEVICE] [--quick] [--many] [--page FILE] [--write docs/benchmarks.md]`
//!
//! `--many` leaves out the paper's trees.

use super::Failure;
use palmette_bench::gpu::page::{Found, HEAD, page, remark, row};
use palmette_bench::gpu::{Measured, many, measure, profiles};
use palmette_bench::table::{Table, write_between};
use palmette_core::generate::Shape;
use palmette_gpu::{Device, DeviceKind, DeviceParams};
use std::env::Args;
use std::path::PathBuf;

pub(crate) fn start(mut arguments: Args) -> Result<(), Failure> {
    let (mut quick, mut only_many) = (false, false);
    let (mut to, mut write) = (None::<PathBuf>, None::<PathBuf>);
    let mut params = DeviceParams::default();
    while let Some(argument) = arguments.next() {
        let mut path = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--quick" => quick = true,
            "--many" => only_many = true,
            "--device" => params.choice = Some(path()?),
            "--page" => to = Some(path()?.into()),
            "--write" => write = Some(path()?.into()),
            _ => return Err(format!("unknown argument {argument}").into()),
        }
    }
    let device = Device::open(&params)?;
    let sizes = if quick { (1 << 14, (50, 500), 1) } else { (1 << 19, (10_000, 500), 3) };
    let (vertices, trees, rounds) = sizes;
    let many = many::measure(&device, vertices, trees, rounds)?;
    let text = format!("{}\n\n{}", remark(device.info()), many.markdown());
    println!("## gpu-many\n\n{text}");
    if let Some(path) = &write {
        write_between(path, "gpu-many", &text)?;
    }
    if only_many {
        return Ok(());
    }
    let found = study(&device, quick)?;
    let mut table = Table::new(&HEAD);
    for m in found.profiles.iter().chain(&found.stars).chain(&found.paths) {
        table.row(row(m));
    }
    let text = format!("{}\n\n{}", remark(device.info()), table.markdown());
    println!("## gpu\n\n{text}");
    if let Some(path) = to {
        std::fs::create_dir_all(path.parent().ok_or("--page needs a file")?)?;
        std::fs::write(&path, page(&found).to_html())?;
        println!("{}", path.display());
    }
    if let Some(path) = write {
        write_between(&path, "gpu", &text)?;
    }
    Ok(())
}

fn study(device: &Device, quick: bool) -> Result<Found, Failure> {
    let software = device.info().kind == DeviceKind::Software;
    let last = match (quick, software) {
        (true, _) => 16,
        (false, true) => 21,
        (false, false) => 24,
    };
    let rounds = if quick { 1 } else { 3 };
    let take = |trees: Vec<(String, Shape, usize)>| -> Result<Vec<Measured>, Failure> {
        let measured = trees.into_iter().map(|tree| Ok(measure(device, tree, rounds)?));
        measured.collect()
    };
    let growing = |name: &str, shape: Shape| {
        (15..=last).map(|k| (format!("{name} 2^{k}"), shape, 1 << k)).collect()
    };
    let most = if quick { 600_000 } else { usize::MAX };
    Ok(Found {
        device: device.info().clone(),
        profiles: take(profiles(most).collect())?,
        stars: take(growing("star", Shape::Star))?,
        paths: take(growing("caterpillar", Shape::Path))?,
    })
}
