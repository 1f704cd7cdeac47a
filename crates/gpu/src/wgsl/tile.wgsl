// A tile of a line in a workgroup's memory, and the product of what each thread has of it.
// The threads share the tile; each takes EACH neighbours, so that order is kept.
const EACH: u32 = TILE / 256u;
var<workgroup> tile: array<Elem, TILE>;
var<workgroup> products: array<Elem, 256>;

fn load(number: u32, me: u32) -> Elem {
    for (var k = 0u; k < EACH; k++) {
        let at = number * TILE + k * 256u + me;
        var x = identity();
        if at < params.count {
            x = line[at];
        }
        tile[k * 256u + me] = x;
    }
    workgroupBarrier();
    var own = tile[me * EACH];
    for (var k = 1u; k < EACH; k++) {
        own = combine(own, tile[me * EACH + k]);
    }
    products[me] = own;
    return own;
}

