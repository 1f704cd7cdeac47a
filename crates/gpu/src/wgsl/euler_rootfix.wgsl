// The answer of a vertex is what comes before its opening, or before what follows it.
fn each(i: u32) {
    let place = open[i] + params.inclusive - params.first;
    if place < params.length {
        answers[i] = line[place];
    }
}
