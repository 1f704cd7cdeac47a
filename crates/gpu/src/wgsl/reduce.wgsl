// The product of each tile of a line.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let number = group_number(group, groups);
    _ = load(number, me);
    // Neighbours join, then neighbouring pairs.
    for (var step = 1u; step < 256u; step *= 2u) {
        workgroupBarrier();
        if me % (2u * step) == 0u {
            products[me] = combine(products[me], products[me + step]);
        }
    }
    // Tiles behind the end, in the last row of a dispatch, have no place.
    if me == 0u && number < (params.count + TILE - 1u) / TILE {
        sums[params.first + number] = products[0];
    }
}
