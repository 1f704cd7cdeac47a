//! One contestant of `benches/mincut.py`: the minimum cuts of files, timed and checked.
//!
//! `mincut_turns THREADS TURNS FILE…` prints a line for each: value, vertices of the smaller side,
//! trees, seconds of the processor and of the clock, each the least of the turns.
#![allow(clippy::unwrap_used, missing_docs)]

use palmette_graph::mincut::minimum_cut;
use palmette_io::read_graph;
use std::path::Path;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let threads = arguments.next().unwrap().parse().unwrap();
    let turns: usize = arguments.next().unwrap().parse().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for file in arguments {
        let graph = read_graph(Path::new(&file), &Default::default()).unwrap().graph;
        let mut least = [f64::INFINITY; 2];
        let mut found = None;
        for _ in 0..turns {
            let (wall, before) = (Instant::now(), processor());
            let cut = pool.install(|| minimum_cut(&graph, &Default::default())).unwrap();
            least =
                [least[0].min(processor() - before), least[1].min(wall.elapsed().as_secs_f64())];
            found = Some(cut);
        }
        let cut = found.unwrap();
        let inside = |v: u32| cut.side.binary_search(&v).is_ok();
        let between = graph.edges().filter(|e| inside(e.0) != inside(e.1));
        assert_eq!(between.map(|e| e.2).sum::<f64>(), cut.value, "{file}");
        let [processor, wall] = least;
        println!("{} {} {} {processor} {wall}", cut.value, cut.side.len(), cut.trees);
    }
}

/// Seconds of the processor that the process has used, in nanoseconds where the system has them.
fn processor() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let used = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(path.join("schedstat")).unwrap_or_default();
        text.split_whitespace().next().and_then(|x| x.parse::<f64>().ok()).unwrap_or(0.0)
    };
    tasks.flatten().map(|task| used(task.path())).sum::<f64>() * 1e-9
}
