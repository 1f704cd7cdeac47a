// Own values behind what is there.
fn each(i: u32) {
    own[i] = combine(own[i], values[i]);
}
