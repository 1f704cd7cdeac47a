//! Depths, sizes, leaves and heights, which are sums and a maximum.

use super::{AggregateError, Answer, DeviceAggregate};
use crate::measures::Measure;
use palmette_core::Tree;
use palmette_core::operator::{Max, Sum};
use palmette_gpu::{Device, DeviceTree, DeviceValues, Form, Seconds, leaffix, rootfix};
use palmette_io::Values;
use palmette_tree::Scope;

/// As [`Measure::by_vertex`], on a device.
///
/// # Errors
/// The weighted depth, which is a sum of f64; what the device says.
pub fn device_measure(
    device: &Device,
    tree: &Tree,
    measure: Measure,
) -> Result<DeviceAggregate, AggregateError> {
    let on = DeviceTree::new(device, tree)?;
    let ones = || vec![1u32; tree.len()];
    let mut found = Found { on: &on, seconds: Seconds::default() };
    let by_position = match measure {
        Measure::Depth => {
            let depths = found.depths(ones())?;
            found.download(&depths)?
        }
        Measure::Size => found.subtrees(ones())?,
        Measure::Leaves => {
            found.subtrees(tree.sizes().iter().map(|&size| u32::from(size == 1)).collect())?
        }
        Measure::Height => found.heights(ones())?,
        Measure::WeightedDepth => return Err(AggregateError::NoMeasure),
    };
    let seconds = found.seconds;
    let values = tree.positions().iter().map(|&p| u64::from(by_position[p as usize])).collect();
    let answer = Answer::of_numbers(measure.name(), Values::U64(values));
    Ok(DeviceAggregate::of(answer, seconds))
}

struct Found<'a> {
    on: &'a DeviceTree<'a>,
    seconds: Seconds,
}

impl Found<'_> {
    fn prepare(&mut self, form: Form) -> Result<(), AggregateError> {
        self.on.prepare(form)?;
        self.seconds.upload += self.on.transfer_seconds(form).unwrap_or(0.0);
        Ok(())
    }

    fn upload(&mut self, values: Vec<u32>) -> Result<DeviceValues<u32>, AggregateError> {
        let values = self.on.upload(&values)?;
        self.seconds.upload += values.seconds();
        Ok(values)
    }

    fn download(&mut self, values: &DeviceValues<u32>) -> Result<Vec<u32>, AggregateError> {
        let (values, seconds) = values.download()?;
        self.seconds.download += seconds;
        Ok(values)
    }

    fn depths(&mut self, ones: Vec<u32>) -> Result<DeviceValues<u32>, AggregateError> {
        self.prepare(Form::Tour)?;
        let ones = self.upload(ones)?;
        let depths = rootfix::euler(self.on, &ones, &Sum::new(), Scope::Exclusive)?;
        self.seconds.compute += depths.seconds();
        Ok(depths)
    }

    fn subtrees(&mut self, values: Vec<u32>) -> Result<Vec<u32>, AggregateError> {
        self.prepare(Form::Tour)?;
        let values = self.upload(values)?;
        let sums = leaffix::euler(self.on, &values, &Sum::new(), Scope::Inclusive)?;
        self.seconds.compute += sums.seconds();
        self.download(&sums)
    }

    /// The largest depth below a vertex, without its own. Depths stay on the device.
    fn heights(&mut self, ones: Vec<u32>) -> Result<Vec<u32>, AggregateError> {
        let depths = self.depths(ones)?;
        self.prepare(Form::Contraction)?;
        let deepest = leaffix::contract(self.on, &depths, &Max::new(), Scope::Inclusive)?;
        self.seconds.compute += deepest.seconds();
        let (depths, deepest) = (self.download(&depths)?, self.download(&deepest)?);
        Ok(deepest.iter().zip(&depths).map(|(deepest, depth)| deepest - depth).collect())
    }
}
