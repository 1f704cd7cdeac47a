// A workgroup for each packet, from the deepest level up.
@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let number = group_number(group, groups);
    let packet = packet_of(number);
    load(packet, me);
    for (var level = packet.levels; level > 0u; level--) {
        workgroupBarrier();
        let end = plan[packet.starts + level];
        for (var k = plan[packet.starts + level - 1u] + me; k < end; k += 64u) {
            let link = plan[packet.links + k];
            let behind = plan[packet.links + k + 1u] >> 20u;
            var below = identity();
            for (var child = link >> 20u; child < behind; child++) {
                below = combine(below, own[child]);
            }
            let all = combine(own[k], below);
            own[k] = all;
            // Workgroups behind the last have no place.
            if number < params.count {
                let place = packet.position + (link & 1023u);
                if params.inclusive == 1u {
                    answers[place] = all;
                } else {
                    answers[place] = below;
                }
            }
        }
    }
}
