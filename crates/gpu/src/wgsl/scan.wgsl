// The exclusive scan of each tile of a line, after what comes before the tile.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let number = group_number(group, groups);
    var own = load(number, me);
    // After step s, products[me] covers the 2s threads that end at me.
    for (var step = 1u; step < 256u; step *= 2u) {
        workgroupBarrier();
        var left = identity();
        if me >= step {
            left = products[me - step];
        }
        workgroupBarrier();
        if me >= step {
            own = combine(left, own);
            products[me] = own;
        }
    }
    workgroupBarrier();
    var running = identity();
    if params.has_before == 1u {
        running = before[params.first + number];
    }
    if me > 0u {
        running = combine(running, products[me - 1u]);
    }
    for (var k = 0u; k < EACH; k++) {
        let x = tile[me * EACH + k];
        tile[me * EACH + k] = running;
        running = combine(running, x);
    }
    workgroupBarrier();
    for (var k = 0u; k < EACH; k++) {
        let at = number * TILE + k * 256u + me;
        if at < params.count {
            line[at] = tile[k * 256u + me];
        }
    }
}
