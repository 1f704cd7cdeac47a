// What a query reads: number, inlabel, ascendant, depth.
fn each(i: u32) {
    let at = params.base + i;
    records[i] = vec4<u32>(at + 2u, labels[i], params.top + ascendants[i], 2u * at - open[i]);
}
