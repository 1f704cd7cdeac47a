// Jumps of twice as many steps, as far as the first half ends in a chunk. Beyond a root there is
// nothing that anybody asks for.
fn each(i: u32) {
    if up[i] == 0xffffffffu {
        new_up[i] = 0xffffffffu;
        return;
    }
    let place = up[i] - params.first;
    if place < params.length {
        new_up[i] = up_there[place];
        new_products[i] = combine(products[i], products_there[place]);
    }
}
