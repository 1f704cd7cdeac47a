//! `palmette formats`: which files each noun reads and writes. The libraries know the formats.

use crate::prelude::*;
use palmette::io::{
    COMPRESSIONS, FormatFacts, feeder_formats, graph_formats, mesh_formats, tree_formats,
};

#[derive(Debug, Args)]
pub(crate) struct FormatArguments {}

/// What is read and written, the nouns that do, and the formats.
fn groups() -> [(&'static str, &'static [&'static str], Vec<FormatFacts>); 4] {
    [
        ("Trees", &["tree", "spatial"], tree_formats()),
        ("Graphs", &["graph", "mesh", "power"], graph_formats()),
        ("Meshes", &["mesh"], mesh_formats()),
        ("Feeders", &["power"], feeder_formats()),
    ]
}

pub(crate) fn run(_: &FormatArguments, run: &RunOptions) -> Result<()> {
    let mut session = Session::open("formats", Files::default(), run)?;
    for (what, nouns, formats) in groups() {
        let facts = |format: &FormatFacts| {
            serde_json::json!({
                "name": format.name,
                "extensions": format.endings,
                "read": format.is_read,
                "written": format.is_written,
                "about": format.about,
            })
        };
        let list: Vec<Value> = formats.iter().map(facts).collect();
        let value = serde_json::json!({ "nouns": nouns, "formats": list });
        session.record.figure(&what.to_lowercase(), value);
    }
    session.summarise(list());
    session.finish()
}

/// The formats, a line each, by what they hold.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for (what, nouns, formats) in groups() {
        let nouns: Vec<String> = nouns.iter().map(|noun| format!("palmette {noun}")).collect();
        text += &format!("{what} ({}):\n", nouns.join(", "));
        let mut table = Table::default();
        for format in formats {
            let only = match (format.is_read, format.is_written) {
                (true, true) => "",
                (true, false) => " (read only)",
                _ => " (written only)",
            };
            let endings: Vec<String> = format.endings.iter().map(|end| format!(".{end}")).collect();
            let about = format!("{}{only}", format.about);
            table.row([format.name, &endings.join(" "), &about].map(Cell::from));
        }
        text += &table.to_string().lines().map(|line| format!("  {line}\n")).collect::<String>();
        text.push('\n');
    }
    let packed: Vec<String> = COMPRESSIONS.iter().map(|end| format!(".{end}")).collect();
    text += &format!(
        "All may be compressed ({}). The format comes from the name, or else from the\n\
         content; --format says that of an input, --to that of an output. Values, pairs and\n\
         answers are csv, tsv, npy, parquet or arrow.\n",
        packed.join(", ")
    );
    text
}
