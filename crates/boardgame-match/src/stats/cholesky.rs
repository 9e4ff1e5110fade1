//! Cholesky factorization, for small symmetric linear systems.

/// The factor L of a symmetric positive definite matrix L Lᵀ.
#[derive(Clone, Debug)]
pub(super) struct Cholesky {
    /// The rows; only the part up to the diagonal is used.
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factors a matrix given by rows, or `None` when it is not positive definite.
    pub(super) fn new(mut rows: Vec<Vec<f64>>) -> Option<Self> {
        for i in 0..rows.len() {
            let (done, rest) = rows.split_at_mut(i);
            let row = &mut rest[0];
            for (j, other) in done.iter().enumerate() {
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let pivot = row[i] - dot(&row[..i], &row[..i]);
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            row[i] = pivot.sqrt();
        }
        Some(Self { rows })
    }

    /// The solution of the system with a right-hand side.
    pub(super) fn solve(&self, mut side: Vec<f64>) -> Vec<f64> {
        for i in 0..side.len() {
            side[i] = (side[i] - dot(&self.rows[i][..i], &side[..i])) / self.rows[i][i];
        }
        for i in (0..side.len()).rev() {
            side[i] /= self.rows[i][i];
            for j in 0..i {
                side[j] -= self.rows[i][j] * side[i];
            }
        }
        side
    }

    /// The inverse of the matrix, by rows.
    pub(super) fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.rows.len();
        let unit = |i| (0..size).map(|j| f64::from(u8::from(i == j))).collect();
        (0..size).map(|i| self.solve(unit(i))).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_matrix() {
        let matrix = vec![
            vec![4.0, 1.0, -1.0],
            vec![1.0, 3.0, 0.5],
            vec![-1.0, 0.5, 2.0],
        ];
        let inverse = Cholesky::new(matrix.clone()).unwrap().inverse();
        for (i, row) in matrix.iter().enumerate() {
            // The inverse is symmetric: its rows are its columns.
            for (j, column) in inverse.iter().enumerate() {
                let unit = if i == j { 1.0 } else { 0.0 };
                assert!((dot(row, column) - unit).abs() < 1e-12, "{i} {j}");
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        assert!(Cholesky::new(vec![vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
    }

    #[test]
    fn a_singular_matrix_has_no_factor() {
        assert!(Cholesky::new(vec![vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
        assert!(Cholesky::new(vec![vec![f64::NAN]]).is_none());
    }
}
