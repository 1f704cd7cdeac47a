// What a vertex reaches when nothing is left below it.
fn each(i: u32) {
    own[i] = combine(firsts[i], lasts[i]);
}
