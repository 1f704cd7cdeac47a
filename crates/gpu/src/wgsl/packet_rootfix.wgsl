// A workgroup for each packet, from the roots down.
@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let number = group_number(group, groups);
    let packet = packet_of(number);
    load(packet, me);
    for (var level = 0u; level < packet.levels; level++) {
        workgroupBarrier();
        let end = plan[packet.starts + level + 1u];
        for (var k = plan[packet.starts + level] + me; k < end; k += 64u) {
            let link = plan[packet.links + k];
            var above = identity();
            if level > 0u {
                above = own[(link >> 10u) & 1023u];
            }
            let all = combine(above, own[k]);
            own[k] = all;
            // Workgroups behind the last have no place.
            if number < params.count {
                let place = packet.position + (link & 1023u);
                if params.inclusive == 1u {
                    answers[place] = all;
                } else {
                    answers[place] = above;
                }
            }
        }
    }
}
