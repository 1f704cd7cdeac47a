// Ways whose number of steps has the bit jump, if they are in a chunk. Jumps lead to smaller
// positions and chunks come in order, so that nobody jumps twice.
fn each(i: u32) {
    let way = ways[i];
    let place = way.x - params.first;
    if (way.y & params.bit) != 0u && place < params.length {
        found[i] = combine(found[i], products[place]);
        ways[i] = vec2<u32>(up[place], way.y);
    }
}
