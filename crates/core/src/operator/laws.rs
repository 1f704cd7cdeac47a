//! Checks an operator's laws on samples. Use it to test your own operators.

use crate::{Commutative, Group, Monoid};

/// Whether identity and associativity hold for all triples of samples.
///
/// ```
/// use palmette_core::operator::{Max, laws};
/// assert!(laws::is_monoid(&Max::new(), &[3, -1, 7], |a, b| a == b));
/// ```
pub fn is_monoid<M: Monoid>(
    op: &M,
    samples: &[M::Elem],
    equal: impl Fn(M::Elem, M::Elem) -> bool,
) -> bool {
    let e = op.identity();
    samples.iter().all(|&a| {
        let neutral = equal(op.combine(e, a), a) && equal(op.combine(a, e), a);
        let associative =
            |b, c| equal(op.combine(a, op.combine(b, c)), op.combine(op.combine(a, b), c));
        neutral && samples.iter().all(|&b| samples.iter().all(|&c| associative(b, c)))
    })
}

/// Whether inverses undo, on both sides.
pub fn is_group<M: Group>(
    op: &M,
    samples: &[M::Elem],
    equal: impl Fn(M::Elem, M::Elem) -> bool,
) -> bool {
    let e = op.identity();
    samples.iter().all(|&a| {
        let b = op.inverse(a);
        equal(op.combine(a, b), e) && equal(op.combine(b, a), e)
    })
}

/// Whether operands may be exchanged.
pub fn is_commutative<M: Commutative>(
    op: &M,
    samples: &[M::Elem],
    equal: impl Fn(M::Elem, M::Elem) -> bool,
) -> bool {
    let exchange = |a, b| equal(op.combine(a, b), op.combine(b, a));
    samples.iter().all(|&a| samples.iter().all(|&b| exchange(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::*;

    #[test]
    fn every_built_in_operator_obeys_its_laws() {
        let i: Vec<i64> = vec![0, 1, -1, 5, i64::MAX, i64::MIN, 123_456_789];
        let u: Vec<u64> = vec![0, 1, 2, u64::MAX, 1 << 63, 99];
        // Sums of these are exact in both float types.
        let f: Vec<f64> = vec![0.0, 1.0, -2.5, 1024.0, 0.125];
        let same = |a, b| a == b;
        assert!(is_monoid(&Sum::new(), &i, same) && is_group(&Sum::new(), &i, same));
        assert!(is_monoid(&Sum::new(), &u, |a, b| a == b));
        assert!(
            is_monoid(&Sum::new(), &f, |a, b| a == b) && is_group(&Sum::new(), &f, |a, b| a == b)
        );
        assert!(is_monoid(&Min::new(), &i, same) && is_monoid(&Max::new(), &f, |a, b| a == b));
        assert!(is_commutative(&Min::new(), &f, |a, b| a == b));
        let pairs: Vec<(i64, u32)> = vec![(3, 1), (3, 0), (-1, 7), (9, 2)];
        for ok in [
            is_monoid(&ArgMin::new(), &pairs, |a, b| a == b),
            is_monoid(&ArgMax::new(), &pairs, |a, b| a == b),
            is_commutative(&ArgMax::new(), &pairs, |a, b| a == b),
            is_monoid(&Xor::new(), &u, |a, b| a == b),
            is_group(&Xor::new(), &u, |a, b| a == b),
            is_monoid(&And::new(), &i, same),
            is_monoid(&Or::new(), &u, |a, b| a == b),
        ] {
            assert!(ok);
        }
        let m = u64::MAX - 58;
        let residues: Vec<u64> = u.iter().map(|x| x % m).collect();
        let product = ProductModulo::new(m).unwrap();
        assert!(is_monoid(&product, &residues, |a, b| a == b));
        assert!(is_commutative(&product, &residues, |a, b| a == b));
        let maps: Vec<[u64; 2]> = residues.iter().map(|&x| [x, (x / 3 + 1) % m]).collect();
        let matrices: Vec<[u64; 4]> = maps.iter().map(|&[a, b]| [a, b, b / 2, 7]).collect();
        assert!(is_monoid(&AffineModulo::new(m).unwrap(), &maps, |a, b| a == b));
        assert!(is_monoid(&MatrixModulo::new(m).unwrap(), &matrices, |a, b| a == b));
        assert!(is_monoid(&AffineModulo::new(1).unwrap(), &[[0, 0]], |a, b| a == b));
        let float_maps: Vec<[f64; 2]> = f.iter().map(|&x| [x, 2.0 - x]).collect();
        assert!(is_monoid(&Affine, &float_maps, |a, b| a == b));
        let float_matrices: Vec<[f64; 4]> = f.iter().map(|&x| [x, 1.0, 0.5, 2.0 - x]).collect();
        assert!(is_monoid(&Matrix, &float_matrices, |a, b| a == b));
        let hash = RollingHash::new(5);
        let letters: Vec<(u64, u64)> = u.iter().map(|&x| hash.letter(x)).collect();
        assert!(is_monoid(&hash, &letters, |a, b| a == b));
    }

    #[test]
    fn the_checker_sees_broken_laws() {
        struct Minus;
        impl Monoid for Minus {
            type Elem = i64;
            fn identity(&self) -> i64 {
                0
            }
            fn combine(&self, left: i64, right: i64) -> i64 {
                left - right
            }
        }
        assert!(!is_monoid(&Minus, &[1, 2], |a, b| a == b));
    }
}
