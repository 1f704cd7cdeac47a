// The upper of the two is the answer; the root of all is none.
fn each(i: u32) {
    let number = min(states[i].x, states[i].z);
    answers[i] = select(0xffffffffu, number - 2u, number > 1u);
}
