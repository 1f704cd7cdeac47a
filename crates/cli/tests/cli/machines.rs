//! Parts on the machines that people have: hierarchies, nodes of cores, networks from files.

use crate::{Place, compile, refused};
use serde_json::Value;
use std::process::Command;

/// Two racks of two nodes, with a fast link between the switches.
const CLUSTER: &[u8] = b"6 5 011 1\n1 5 1\n1 5 1\n1 6 1\n1 6 1\n0 1 1 2 1 6 10\n0 3 1 4 1 5 10\n";
const TOPOLOGY: &[u8] = b"SwitchName=s0 Nodes=tux[0-3]\nSwitchName=s1 Nodes=tux[4-7]\n\
    SwitchName=top Switches=s[0-1]\n";
const NODE: &[u8] = b"<topology version=\"2.0\"><object type=\"Machine\">\
    <object type=\"Package\"><object type=\"Core\"/><object type=\"Core\"/></object>\
    <object type=\"Package\"><object type=\"Core\"/><object type=\"Core\"/></object>\
    </object></topology>";

fn place() -> Place {
    let place = Place::new(&[
        ("cluster.graph", CLUSTER),
        ("apart.graph", b"4 2\n2\n1\n4\n3\n"),
        ("half.graph", b"2 1 001\n2 1.5\n1 1.5\n"),
        ("topology.conf", TOPOLOGY),
        ("wrong.conf", b"SwitchName=s0 Nodes=a\nSwitchName=s1 Colour=red\n"),
        ("node.xml", NODE),
        ("no.xml", b"<a/>"),
        ("hosts", b"tux[1-2]:2 tux6:1\n"),
        ("strange", b"tux1 puffin\n"),
    ]);
    place.stdout("mesh generate crack-plate:600 -o plate.msh");
    place
}

fn record(place: &Place, line: &str) -> Value {
    serde_json::from_str(&place.stdout(&format!("{line} --json"))).unwrap()
}

/// Machine, its text in the record, parts, and words of the picture.
#[test]
fn every_machine_is_mapped_routed_and_drawn() {
    let place = place();
    for (options, text, parts, drawn) in [
        ("hierarchy:2x2x3 --distances 1,10,100", "hierarchy:2x2x3@1,10,100", 12, "12 processors"),
        ("torus:3x3/2 --distances 1,10", "torus:3x3/2@1,10", 18, "torus of 3 × 3 nodes"),
        ("torus:2x2x3", "torus:2x2x3", 12, "torus of 2 × 2 × 3"),
        ("dragonfly:4x3x1", "dragonfly:4x3x1", 12, "12 nodes · no switch"),
        ("torus:3x4 --without 5,7-8", "torus:3x4 without 5,7,8", 9, "crossed out: dead"),
        ("cluster.graph", "cluster.graph", 4, "4 nodes · 2 switches"),
        ("graph:cluster.graph/2", "graph:cluster.graph/2@1,10", 8, "4 nodes"),
        ("topology.conf", "topology.conf", 8, "8 nodes · 3 switches"),
        ("hwloc:node.xml", "hierarchy:2x2@1,10", 4, "4 processors"),
    ] {
        let found = record(&place, &format!("mesh map plate.msh --machine {options} -o out"));
        assert_eq!(found["parameters"]["machine"], text);
        let result = &found["result"];
        assert_eq!(result["parts"], parts, "{options}");
        assert!(place.read("out/placement.svg").contains(drawn), "{options}: no {drawn}");
        let placed: Value = serde_json::from_str(&place.read("out/placement.json")).unwrap();
        let all = placed["processors"].as_array().unwrap();
        assert_eq!(all.len(), parts);
        if text.contains("without") {
            assert!([5, 7, 8].iter().all(|&dead| !all.contains(&Value::from(dead))));
        }
        if result.get("levels").is_none() {
            let number = |key: &str| result[key].as_f64().unwrap();
            let most = if result.get("max_link_time").is_some() {
                "max_link_time"
            } else {
                "max_link_load"
            };
            assert!(number("max_link_load_at_least") <= number(most), "{options}");
            assert!(number("max_link_load_at_least") > 0.0, "{options}");
            for routing in ["minimal", "adaptive"] {
                place.stdout(&format!(
                    "mesh route plate.msh --machine {options} --routing {routing} -o r.json"
                ));
            }
        }
        // What was written is read back.
        let read = read_back(&place, &placed);
        assert_eq!(read, text);
    }
}

/// The machine of a placement that was read back, in the folder of the files.
fn read_back(place: &Place, placed: &Value) -> String {
    let text = placed["machine"].as_str().unwrap();
    let line =
        format!("mesh place plate.msh -o again.json --machine {}", text.replace(' ', "\u{0}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmette"));
    command.args(line.split(' ').map(|word| word.replace('\u{0}', " "))).current_dir(place.path());
    assert!(command.output().unwrap().status.success(), "{text}");
    let again: Value = serde_json::from_str(&place.read("again.json")).unwrap();
    again["machine"].as_str().unwrap().to_string()
}

#[test]
fn allocations_and_launchers() {
    let place = place();
    let line = "mesh place plate.msh --machine slurm:topology.conf --hosts hosts";
    let found = record(&place, &format!("{line} --rankfile ranks -o p.json"));
    assert_eq!(found["result"]["parts"], 5);
    let ranks = place.read("ranks");
    assert_eq!(ranks.lines().count(), 5);
    for host in ["tux1 slot=0", "tux1 slot=1", "tux2 slot=0", "tux2 slot=1", "tux6 slot=0"] {
        assert_eq!(ranks.matches(host).count(), 1, "{ranks}");
    }
    place.stdout(&format!("{line} --rankfile ranks --rank-format slurm"));
    let mut hosts: Vec<String> = place.read("ranks").lines().map(str::to_string).collect();
    hosts.sort();
    assert_eq!(hosts, ["tux1", "tux1", "tux2", "tux2", "tux6"]);
    place.stdout(&format!("{line} --rankfile ranks --rank-format mpich"));
    let count = |line: &str| line.rsplit_once(':').unwrap().1.parse::<u32>().unwrap();
    assert_eq!(place.read("ranks").lines().map(count).sum::<u32>(), 5);
}

/// The header compiles, and its communicator has the partners of the routes.
#[test]
fn the_header_makes_a_communicator() {
    if !compile::has_mpi() {
        return;
    }
    let place = place();
    place.stdout("mesh route plate.msh --machine mesh:2x2 -k 3 --header parts.h -o routes.json");
    let program = r#"#include <stdio.h>
#include "parts.h"
int main(int argc, char **argv)
{
    MPI_Comm parts;
    MPI_Init(&argc, &argv);
    if (palmette_create(MPI_COMM_WORLD, &parts) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (parts != MPI_COMM_NULL) {
        int rank, in, out, weighted, from[8], to[8], a[8], b[8];
        MPI_Comm_rank(parts, &rank);
        MPI_Dist_graph_neighbors_count(parts, &in, &out, &weighted);
        MPI_Dist_graph_neighbors(parts, 8, from, a, 8, to, b);
        for (int i = 0; i < out; i++)
            printf("%d %d %d\n", rank, to[i], b[i]);
    }
    MPI_Finalize();
    return 0;
}
"#;
    std::fs::write(place.path().join("main.c"), program).unwrap();
    let run = |command: &str| {
        let mut words = command.split(' ');
        let mut command = Command::new(words.next().unwrap());
        let command = command.args(words).current_dir(place.path());
        let output =
            command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        let output = output.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    run("mpicc -std=c99 -Wall -Werror main.c -o main");
    let said = run("timeout 100 mpirun --oversubscribe -n 4 ./main");
    let mut found: Vec<Vec<u64>> = said
        .lines()
        .map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect())
        .collect();
    found.sort();
    let routes: Value = serde_json::from_str(&place.read("routes.json")).unwrap();
    let sent = |message: &Value| {
        ["from", "to", "values"].map(|key| message[key].as_u64().unwrap()).to_vec()
    };
    let mut expected: Vec<Vec<u64>> =
        routes["messages"].as_array().unwrap().iter().map(sent).collect();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn what_is_no_machine() {
    let place = place();
    for (options, parts) in [
        ("hierarchy:4x8 --distances 1", &["`hierarchy:4x8`", "2 distances", "found 1"][..]),
        ("hierarchy:4x8 --distances 1,x", &["--distances", "`x`"]),
        ("hierarchy:4x8 --distances 1,0", &["--distances", "`0`"]),
        ("hierarchy:4x8@1,2 --distances 1,2", &["after @ already"]),
        ("torus:4x4 --distances 1", &["its distances are hops"]),
        ("fat-tree:4x4 --distances 1,2", &["its distances are hops"]),
        ("fat-tree:4x4 --without 1", &["only machines with one can do without"]),
        ("torus:4x4 --without 16", &["no processor 16"]),
        ("torus:4x4 --without 3-1", &["--without", "`3-1`"]),
        ("mesh:1x3 --without 1", &["not connected", "from processor 0 to 2"]),
        ("mesh:1x2 --parts 3", &["3 parts do not fit on mesh:1x2"]),
        ("torus:2x2 --without 0 --parts 4", &["4 parts do not fit", "3 processors"]),
        ("apart.graph", &["apart.graph", "not connected"]),
        ("half.graph", &["half.graph", "whole numbers", "1.5 between 1 and 2"]),
        ("absent.graph", &["absent.graph", "cannot read"]),
        ("slurm:wrong.conf", &["wrong.conf, line 2", "Colour=red"]),
        ("slurm:topology.conf --hosts strange", &["topology.conf", "no host `puffin`"]),
        ("slurm:topology.conf/1 --hosts hosts", &["host `tux1` has 2 slots", "1 processors"]),
        ("hwloc:no.xml", &["no.xml, line 1", "`<a>`"]),
        ("dragonfly:4x3x1 --routing one-bend", &["`one-bend` needs a mesh or torus"]),
    ] {
        refused(&place, &format!("mesh route plate.msh --machine {options} -o r.json"), parts);
    }
    refused(
        &place,
        "mesh place plate.msh --machine torus:2x2 --rank-format slurm",
        &["--rankfile"],
    );
}
