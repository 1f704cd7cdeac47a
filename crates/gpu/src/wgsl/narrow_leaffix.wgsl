// Levels that a workgroup covers, the deepest first, without a dispatch for each.
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) me: u32) {
    for (var level = params.count; level > 0u; level--) {
        let at = params.start + level - 1u;
        let k = starts[at] + me;
        if k < starts[at + 1u] {
            let children = family[k - params.first];
            var product = identity();
            for (var c = children.x - params.first; c < children.y - params.first; c++) {
                product = combine(product, combine(values[c], own[c]));
            }
            own[k - params.first] = product;
        }
        storageBarrier();
    }
}
