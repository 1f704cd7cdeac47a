// Where the ways up of two vertices enter the path of their lowest shared_bits ancestor: at the
// vertex itself, or from the head of a path.
fn side(r: vec4<u32>, below: u32) -> vec2<u32> {
    let bits = r.z & below;
    if bits == 0u {
        return vec2<u32>(r.x, 0u);
    }
    let bit = 1u << firstLeadingBit(bits);
    return vec2<u32>(r.x, (r.y & ~(bit | (bit - 1u))) | bit);
}

fn each(i: u32) {
    let u = pairs[i].x - params.first;
    let v = pairs[i].y - params.second;
    if u >= params.length || v >= params.second_length {
        return;
    }
    let a = one[u];
    let b = two[v];
    let differ = a.y ^ b.y;
    var below = 0u;
    if differ != 0u {
        let shared_bits = a.z & b.z & (0xffffffffu << firstLeadingBit(differ));
        below = (shared_bits & (0u - shared_bits)) - 1u;
    }
    states[i] = vec4<u32>(side(a, below), side(b, below));
}
