// The product of each tile of a line.
// The threads of a workgroup share a tile; each takes EACH neighbours, so that order is kept.
const EACH: u32 = TILE / 256u;
var<workgroup> tile: array<Elem, TILE>;
var<workgroup> products: array<Elem, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let number = group_number(group, groups);
    for (var k = 0u; k < EACH; k++) {
        let at = number * TILE + k * 256u + me;
        var x = identity();
        if at < params.count {
            x = line[at];
        }
        tile[k * 256u + me] = x;
    }
    workgroupBarrier();
    var product = tile[me * EACH];
    for (var k = 1u; k < EACH; k++) {
        product = combine(product, tile[me * EACH + k]);
    }
    products[me] = product;
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
