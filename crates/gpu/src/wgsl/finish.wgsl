// Back to preorder; own values are put in where they belong.
fn each(i: u32) {
    let k = params.start + i;
    let place = order[k] - params.first;
    if place < params.length {
        var answer = own[k];
        if params.after == 1u {
            answer = combine(answer, values[k]);
        }
        if params.before == 1u {
            answer = combine(values[k], answer);
        }
        answers[place] = answer;
    }
}
