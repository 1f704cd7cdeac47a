//! Values that something needs; the others go.

use super::Flow;

/// Drops the values that no output, print or test depends on. Numbers of values stay.
pub(crate) fn sweep(flow: &mut Flow) {
    let mut live = vec![false; flow.values.len()];
    let mut waiting = flow.roots();
    while let Some(value) = waiting.pop() {
        if !std::mem::replace(&mut live[value], true) {
            waiting.extend(flow.values[value].op.operands());
        }
    }
    flow.retain(|value| live[value]);
}
