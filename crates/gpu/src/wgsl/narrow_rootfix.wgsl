// Levels that a workgroup covers, one after the other without a dispatch for each.
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) me: u32) {
    for (var level = 0u; level < params.count; level++) {
        let at = params.start + level;
        let k = starts[at] + me;
        if k < starts[at + 1u] {
            let p = parent[k - params.first] - params.first;
            own[k - params.first] = combine(own[p], values[p]);
        }
        storageBarrier();
    }
}
