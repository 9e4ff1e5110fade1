//! The status of a process as Linux tells it in `/proc/PID/stat`.

// The numbers of fields.
#[cfg(target_os = "linux")]
const STATE: usize = 3;
#[cfg(target_os = "linux")]
const GROUP: usize = 5;

/// Returns the field with a number from 3 on, counted from 1 as in `proc_pid_stat(5)`, of the text of the file.
pub(crate) fn field(status: &str, number: usize) -> Option<&str> {
    // The second field, the name in parentheses, may hold blanks and parentheses.
    let (_, fields) = status.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(number - 3)
}

/// Returns the letter for the state of a process, `None` once it is gone.
#[cfg(target_os = "linux")]
pub(crate) fn state(id: u32) -> Option<char> {
    field(&read(id)?, STATE)?.chars().next()
}

/// Returns the process group of a process, `None` once it is gone.
#[cfg(target_os = "linux")]
pub(crate) fn group(id: u32) -> Option<i32> {
    field(&read(id)?, GROUP)?.parse().ok()
}

#[cfg(target_os = "linux")]
fn read(id: u32) -> Option<String> {
    std::fs::read_to_string(format!("/proc/{id}/stat")).ok()
}

/// Returns whether a process runs, waits or is stopped: a dead one is there until its parent has waited for it.
#[cfg(target_os = "linux")]
pub(crate) fn is_alive(id: u32) -> bool {
    state(id).is_some_and(|state| !matches!(state, 'Z' | 'X'))
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
