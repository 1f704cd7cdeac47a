// The identity everywhere.
fn each(i: u32) {
    own[i] = identity();
}
