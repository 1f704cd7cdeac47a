// Residues are pairs of words, the low one first, and below MODULUS.
fn add_residues(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    let middle = a.y + b.y;
    let high = middle + select(0u, 1u, low < a.x);
    let over = middle < a.y || high < middle;
    let below = high < MODULUS.y || (high == MODULUS.y && low < MODULUS.x);
    if below && !over {
        return vec2<u32>(low, high);
    }
    return vec2<u32>(low - MODULUS.x, high - MODULUS.y - select(0u, 1u, low < MODULUS.x));
}

fn multiply_residues(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    var bits = select(0u, firstLeadingBit(b.x) + 1u, b.x != 0u);
    bits = select(bits, firstLeadingBit(b.y) + 33u, b.y != 0u);
    var product = vec2<u32>(0u, 0u);
    for (var k = bits; k > 0u; k--) {
        product = add_residues(product, product);
        let word = select(b.x, b.y, k > 32u);
        if ((word >> ((k - 1u) % 32u)) & 1u) == 1u {
            product = add_residues(product, a);
        }
    }
    return product;
}
