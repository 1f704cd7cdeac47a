// What comes before the closing, without what comes before the opening. A chunk may have the
// one and not the other; chunks come in order.
fn each(k: u32) {
    let i = params.start + k;
    let opened = open[i] + 1u - params.inclusive - params.first;
    let closed = close[i] - params.first;
    if opened < params.length {
        answers[i] = inverse(line[opened]);
    }
    if closed < params.length {
        answers[i] = combine(answers[i], line[closed]);
    }
}
