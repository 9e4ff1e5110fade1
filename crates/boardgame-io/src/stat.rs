//! The status of a process as Linux tells it in `/proc/PID/stat`.

/// Returns the field with a number from 3 on, counted from 1 as in `proc_pid_stat(5)`, of the text of the file.
pub(crate) fn field(status: &str, number: usize) -> Option<&str> {
    // The second field, the name in parentheses, may hold blanks and parentheses.
    let (_, fields) = status.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(number - 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_follow_a_name_of_any_kind() {
        for name in ["othello", "a) 1 (b", ""] {
            let status = format!("77 ({name}) S 1 2 3");
            assert_eq!(field(&status, 3), Some("S"));
            assert_eq!(field(&status, 5), Some("2"));
            assert_eq!(field(&status, 7), None);
        }
        assert_eq!(field("", 3), None);
    }
}
