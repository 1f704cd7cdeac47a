// What a workgroup knows of its packet: the products so far, in order by level.
var<workgroup> own: array<Elem, 1024>;

struct Packet {
    // Its first position, where its levels and its links begin, its vertices, its levels.
    position: u32,
    starts: u32,
    links: u32,
    vertices: u32,
    levels: u32,
}

fn packet_of(number: u32) -> Packet {
    let found = packets[min(number, params.count - 1u)];
    return Packet(found.x, found.y, found.y + found.w + 1u, found.z, found.w);
}

fn load(packet: Packet, me: u32) {
    for (var k = me; k < packet.vertices; k += 64u) {
        own[k] = values[packet.position + (plan[packet.links + k] & 1023u)];
    }
}
