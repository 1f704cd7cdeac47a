//! A finite-element solve in four parts: a plate is heated evenly and cooled at two sides. The
//! parts exchange only values at the nodes that they share.
use palmette::core::Mesh;
use palmette::mesh::PartitionParams;
use palmette::mesh::element::{Assembler, Conditions, Fix, Form, Load, Submesh};
use palmette::mesh::partition::element_partition;
use palmette::mesh::shapes::generate;
use palmette::mesh::spmv::{CgParams, Csr, Piece, World, conjugate_gradients, pieces};

const SIDE: usize = 16;
const PARTS: u32 = 4;

/// The part's share of the matrix and of the right-hand side of -u'' = 1.
fn assemble(
    mesh: &Mesh,
    conditions: &Conditions,
    piece: &Piece,
) -> Result<(Csr, Vec<f64>), Box<dyn std::error::Error>> {
    let owned: Vec<bool> = (0..piece.nodes.len()).map(|node| piece.owns(node)).collect();
    let submesh = Submesh::new(mesh, &piece.elements, &piece.nodes, &owned);
    let assembler = Assembler::new(&submesh, conditions)?;
    let form = Form::stiffness(1.0);
    let load = assembler.load(&Load::source(1.0))?;
    Ok((assembler.matrix(&form)?, assembler.rhs(&form, load)?))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Unit squares, each cut into two triangles; left and right are kept at 0.
    let plate = generate(format!("triangles:{SIDE}x{SIDE}").parse()?, 1)?;
    let conditions = Conditions::new(&plate, 1, &[Fix::new("left", 0.0), Fix::new("right", 0.0)])?;
    let params = PartitionParams { parts: PARTS, ..PartitionParams::default() };
    let part = element_partition(&plate, None, &params)?.part;
    let pieces = pieces(&plate, &part, PARTS as usize)?;
    let (mut matrices, mut rhs) = (Vec::new(), Vec::new());
    for piece in &pieces {
        let (matrix, vector) = assemble(&plate, &conditions, piece)?;
        matrices.push(matrix);
        rhs.extend(vector);
    }

    let mut world = World::alone(pieces, 1)?;
    let (a, b, mut x) = (world.matrix(matrices)?, world.vector(rhs)?, world.full(0.0));
    let params = CgParams { tolerance: 1e-12, ..CgParams::default() };
    let run = conjugate_gradients(&mut world, &a, None, &b, &mut x, &params)?;
    let heat = world.to_nodes(&x, plate.points().len())?;

    // Heat flows along x only: u = x (16 - x) / 2. On such triangles the equations are second
    // differences, which are exact for parabolas, so the values at nodes are exact, too.
    let length = SIDE as f64;
    for (point, value) in plate.points().iter().zip(&heat) {
        let exact = point[0] * (length - point[0]) / 2.0;
        assert!((value - exact).abs() < 1e-8, "{value} at {point:?}");
    }
    // The middle is the hottest: 8 * 8 / 2.
    assert!((heat.iter().copied().fold(0.0, f64::max) - 32.0).abs() < 1e-8);
    println!("{} iterations, {} messages", run.iterations, run.traffic.messages);
    Ok(())
}
