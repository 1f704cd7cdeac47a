//! Sizes and shapes as they are typed.

use anyhow::bail;
use palmette::core::generate::Shape;
use palmette::core::named::UnknownName;
use palmette::sweep::Study;

/// Sizes in growing order: numbers, and powers of two in ranges.
pub(super) fn sizes(text: &str) -> anyhow::Result<Vec<usize>> {
    let mut found = Vec::new();
    for item in text.split(',').map(str::trim) {
        match item.split_once("..") {
            Some((first, rest)) => powers(&mut found, item, first, rest)?,
            None => found.push(size("--sizes", item)?),
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The largest size of the baseline, 0 for none.
pub(super) fn limit(text: &str) -> anyhow::Result<usize> {
    match text.trim() {
        "0" => Ok(0),
        text => size("--baseline-limit", text),
    }
}

/// The powers of two in a range, or every so many of them.
fn powers(found: &mut Vec<usize>, item: &str, first: &str, rest: &str) -> anyhow::Result<()> {
    let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let (first, last) = (size("--sizes", first)?, size("--sizes", last)?);
    if first > last {
        bail!("--sizes: the range `{item}` must go from the smaller to the larger size");
    }
    let Some(step) = step.trim().parse().ok().filter(|&step: &usize| step > 0) else {
        bail!("--sizes: the step after the colon in `{item}` must be at least 1");
    };
    let (low, high) = (first.next_power_of_two().ilog2(), last.ilog2());
    if low > high {
        bail!("--sizes: the range `{item}` contains no power of two");
    }
    found.extend((low..=high).step_by(step).map(|k| 1usize << k));
    Ok(())
}

fn size(option: &str, text: &str) -> anyhow::Result<usize> {
    let text = text.trim();
    let is_number = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let number = match text.strip_prefix("2^") {
        Some(k) if is_number(k) => k.parse().ok().and_then(|k| 1u64.checked_shl(k)),
        None if is_number(text) => text.parse().ok(),
        _ => bail!("{option}: expected {}, found `{text}`", grammar(option)),
    };
    const MOST: usize = Study::MOST_VERTICES;
    match number.and_then(|n| usize::try_from(n).ok()).filter(|n| (1..=MOST).contains(n)) {
        Some(number) => Ok(number),
        None => bail!("{option}: expected a number from 1 to 2^{}, found `{text}`", MOST.ilog2()),
    }
}

fn grammar(option: &str) -> &'static str {
    match option {
        "--sizes" => "sizes such as 2^8..2^18, 2^8..2^18:2 or 256,1000",
        _ => "a size such as 2^12, or 0 for none",
    }
}

/// Shapes in their order; `all` is every one that has trees of any size.
pub(super) fn shapes(text: &str) -> anyhow::Result<Vec<Shape>> {
    let mut found = Vec::new();
    for name in text.split(',').map(str::trim) {
        let known = Shape::FREE.into_iter().filter(|s| name == "all" || s.to_string() == name);
        let known: Vec<Shape> = known.collect();
        if known.is_empty() {
            let names = Shape::NAMES.into_iter().take(Shape::FREE.len()).chain(["all"]);
            bail!("--shapes: {}", UnknownName::among("shape", name, names));
        }
        for shape in known {
            if !found.contains(&shape) {
                found.push(shape);
            }
        }
    }
    Ok(found)
}
