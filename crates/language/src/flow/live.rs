//! Values that something needs; the others go.

use super::{Flow, Item, Op};

/// Drops the values that no output, print or test depends on. Numbers of values stay.
pub(crate) fn sweep(flow: &mut Flow) {
    let mut live = vec![false; flow.values.len()];
    let mut waiting = flow.roots();
    while let Some(value) = waiting.pop() {
        if !std::mem::replace(&mut live[value], true) {
            waiting.extend(flow.values[value].op.operands());
        }
    }
    let mut items = std::mem::take(&mut flow.items);
    retain(&mut items, &live);
    flow.items = items;
    for this in &mut flow.loops {
        this.phis.retain(|&phi| live[phi]);
        retain(&mut this.head, &live);
        retain(&mut this.body, &live);
    }
    for (value, live) in flow.values.iter_mut().zip(live) {
        if !live {
            // So that nothing counts it as a user of something.
            value.op = Op::Param(usize::MAX);
        }
    }
}

fn retain(items: &mut Vec<Item>, live: &[bool]) {
    items.retain_mut(|item| match item {
        Item::Value(value) => live[*value],
        Item::Every(_, inner) => {
            retain(inner, live);
            true
        }
        _ => true,
    });
}
