//! What does everyone below a manager earn? Subtree sums over a table of who reports to whom.
use palmette::core::operator::Sum;
use palmette::io::read_tree_bytes;
use palmette::{ReadParams, TreeParams, ValueType, Values, leaffix};

/// Rows come in any order: Cem's stands before that of his manager.
const STAFF: &str = "\
id,parent,salary
Cem,Ben,40
Ada,,100
Ben,Ada,70
Dora,Ben,50
Eve,Ada,80
Finn,Eve,30
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let columns = vec![("salary".into(), ValueType::I64.into())];
    let params = ReadParams { columns, ..ReadParams::default() };
    let file = read_tree_bytes("staff.csv", STAFF.as_bytes(), &params)?;
    let tree = file.tree(TreeParams::default())?;
    let Values::I64(salaries) = &file.columns[0].values else { return Err("no integers".into()) };

    // Engines work in the tree's preorder; the table has its own order.
    let values = tree.to_positions(salaries)?;
    let totals = leaffix(&tree, &values, &Sum::new(), Default::default())?;
    let totals = tree.to_vertices(&totals)?;

    // By hand: Ben 70 + 40 + 50, Eve 80 + 30, Ada 100 and both teams.
    for (name, expected) in
        [("Ben", 160), ("Eve", 110), ("Ada", 370), ("Cem", 40), ("Dora", 50), ("Finn", 30)]
    {
        let total = totals[file.vertex(name)? as usize];
        println!("{name:<5} {total:>4}");
        assert_eq!(total, expected, "{name}");
    }
    Ok(())
}
