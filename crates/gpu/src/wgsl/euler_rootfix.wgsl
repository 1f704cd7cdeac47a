// The answer of a vertex is what comes before its opening, or before what follows it.
fn each(k: u32) {
    let i = params.start + k;
    let place = open[i] + params.inclusive - params.first;
    if place < params.length {
        answers[i] = line[place];
    }
}
