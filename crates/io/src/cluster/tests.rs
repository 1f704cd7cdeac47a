use super::*;

const TOPOLOGY: &str = "# two racks\nSwitchName=s0 Nodes=tux[0-2] LinkSpeed=10\n\
    switchname=s1 nodes=tux[10-11],\\\nlogin # comment\n\nSwitchName=top Switches=s[0-1]\n";

#[test]
fn switches_have_hosts_below_them() {
    let file = read_slurm_bytes("topology.conf", TOPOLOGY.as_bytes()).unwrap();
    let names = ["tux0", "tux1", "tux2", "tux10", "tux11", "login", "s0", "s1", "top"];
    assert_eq!((file.names.as_slice(), file.hosts), (&names.map(String::from)[..], 6));
    let links =
        [(0, 6, 10), (1, 6, 10), (2, 6, 10), (3, 7, 1), (4, 7, 1), (5, 7, 1), (6, 8, 1), (7, 8, 1)];
    assert_eq!(file.links, links);
}

#[test]
fn wrong_topologies_name_their_line() {
    for (text, says) in [
        ("SwitchName=a Nodes=b\nSwitchName=a Nodes=c\n", "line 2: expected a switch of another"),
        ("SwitchName=a Switches=b\n", "line 1: expected switches that have lines of their own"),
        ("\nNodes=a\n", "line 2: expected SwitchName= with Nodes="),
        ("SwitchName=a Nodes=b[3-1]\n", "line 1: expected names such as tux[0-3,12]"),
        ("SwitchName=a Nodes=b LinkSpeed=-1\n", "line 1: expected a LinkSpeed"),
        ("SwitchName=a Nodes=b Colour=red\n", "line 1: expected SwitchName=, Nodes="),
        ("BlockName=a Nodes=b\n", "line 1: expected switches (topology/tree), found blocks"),
        ("# nothing\n", "line 1: expected a switch with Nodes="),
        ("SwitchName=a Switches=b\nSwitchName=b Switches=a\n", "expected a switch with Nodes="),
    ] {
        let error = read_slurm_bytes("t.conf", text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(says) && error.starts_with("t.conf"), "{text}: {error}");
    }
}

/// Packages of caches of cores of threads, by sizes.
fn xml(packages: &[&[u32]]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n\
        <topology version=\"2.0\"><object type=\"Machine\"><object type=\"NUMANode\"/>",
    );
    for caches in packages {
        text += "<object type=\"Package\">";
        for &cores in *caches {
            text += "<object type=\"L3Cache\">";
            for _ in 0..cores {
                text += "<object type=\"L2Cache\"><object type=\"Core\"><object type=\"PU\"/>\
                    <object type=\"PU\"/></object></object>";
            }
            text += "</object>";
        }
        text += "</object>";
    }
    text + "</object></topology>"
}

#[test]
fn cores_are_in_groups() {
    let read =
        |packages: &[&[u32]]| read_hwloc_bytes("node.xml", xml(packages).as_bytes()).unwrap();
    assert_eq!(read(&[&[4, 4], &[4, 4]]).branches, [2, 2, 4]);
    assert_eq!(read(&[&[8], &[8]]).branches, [2, 8]);
    assert_eq!(read(&[&[6]]).branches, [6]);
    assert!(read(&[&[1]]).branches.is_empty());
    let uneven = read(&[&[4, 2], &[3, 3]]);
    assert_eq!(uneven.branches, [2, 6]);
    assert_eq!(uneven.notes, ["level L3Cache is left out: its groups have between 2 and 4 cores"]);
}

#[test]
fn documents_that_are_none() {
    for (text, says) in [
        ("<topology><object type=\"Machine\"/></topology>", "objects of type Core or PU"),
        ("<a/>", "`<topology>` of hwloc, found `<a>`"),
        ("<topology>", "an XML document"),
    ] {
        let error = read_hwloc_bytes("node.xml", text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("line 1"), "{error}");
    }
}
