//! The students of a course: ids, which are their secrets, and the names that others see.

use std::{
    collections::{BTreeMap, HashMap},
    str::FromStr,
};

use othello_proto::lth::{Id, InvalidId};

/// A student of a course.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Student {
    /// The class.
    pub class: String,
    /// The name that others see.
    pub name: String,
}

/// The students of a course by their ids.
///
/// Parsed from TOML with a table for each class.
///
/// # Examples
///
/// ```
/// use othello_host::lth_server::Students;
///
/// let students: Students = r#"
/// [Monday]
/// da7308ca-s = "Ada"
/// "id with blanks" = "Grace"
/// "#
/// .parse()?;
/// assert_eq!(students.get("da7308ca-s").map(|ada| ada.name.as_str()), Some("Ada"));
/// # Ok::<(), othello_host::lth_server::StudentsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Students(HashMap<String, Student>);

/// The error of a text that does not list students.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum StudentsError {
    /// The text has another form.
    #[error("expected a table for each class, with lines such as id = \"Name\": {0}")]
    Form(#[from] Box<toml::de::Error>),
    /// An id or a name cannot be used.
    #[error("class {class}, {text:?}: {reason}")]
    Invalid {
        class: String,
        text: String,
        reason: InvalidId,
    },
    /// An id or a name is the built-in player's.
    #[error("class {class}: expected another id and name than {text:?}, the server's own player")]
    Reserved { class: String, text: String },
    /// An id has two students.
    #[error("expected each id once, found that of {first} again for {second}")]
    SameId { first: String, second: String },
    /// Two students have one name, so the scoreboard would not tell them apart.
    #[error("expected each name once, found {name} again in class {class}")]
    SameName { class: String, name: String },
    /// There is no student.
    #[error("expected a student, found none")]
    Empty,
}

impl FromStr for Students {
    type Err = StudentsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let classes: BTreeMap<String, BTreeMap<String, String>> =
            toml::from_str(text).map_err(Box::new)?;
        let mut students = HashMap::<String, Student>::new();
        let mut ids = HashMap::new();
        for (class, members) in classes {
            for (id, name) in members {
                check(&class, &id)?;
                check(&class, &name)?;
                if ids.insert(name.clone(), id.clone()).is_some() {
                    return Err(StudentsError::SameName { class, name });
                }
                let student = Student {
                    class: class.clone(),
                    name: name.clone(),
                };
                if let Some(first) = students.insert(id, student) {
                    let (first, second) = (first.name, name);
                    return Err(StudentsError::SameId { first, second });
                }
            }
        }
        if students.is_empty() {
            return Err(StudentsError::Empty);
        }
        Ok(Self(students))
    }
}

/// Checks an id, or a name, which has the same form.
fn check(class: &str, text: &str) -> Result<(), StudentsError> {
    let (class, text) = (class.to_owned(), text.to_owned());
    match Id::new(text.as_str()) {
        Ok(id) if id.is_reserved() => Err(StudentsError::Reserved { class, text }),
        Ok(_) => Ok(()),
        Err(reason) => Err(StudentsError::Invalid {
            class,
            text,
            reason,
        }),
    }
}

impl Students {
    /// Returns the student with an id.
    pub fn get(&self, id: &str) -> Option<&Student> {
        self.0.get(id)
    }

    /// Returns the id of the student with a name.
    pub fn id_of(&self, name: &str) -> Option<&str> {
        let mut students = self.0.iter();
        let (id, _) = students.find(|(_, student)| student.name == name)?;
        Some(id)
    }

    /// Returns all students with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Student)> {
        self.0.iter().map(|(id, student)| (id.as_str(), student))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lists_no_students_is_refused_with_the_place() {
        for (text, expected) in [
            ("", "expected a student, found none"),
            ("a = \"Ada\"", "expected a table for each class"),
            ("[Monday]\na = 1", "line 2, column 5"),
            ("[Monday]\na = \"Ada\"\na = \"Bo\"", "duplicate key"),
            (
                "[Monday]\na = \"Ada\"\n[Tuesday]\na = \"Bo\"",
                "found that of Ada again for Bo",
            ),
            (
                "[Monday]\na = \"Ada\"\nb = \"Ada\"",
                "found Ada again in class Monday",
            ),
            ("[Monday]\na = \"House\"", "the server's own player"),
            (
                "[Monday]\na = \"\\u001b[31m\"",
                "class Monday, \"\\u{1b}[31m\": ",
            ),
        ] {
            let told = text.parse::<Students>().unwrap_err().to_string();
            assert!(told.contains(expected), "{text}: {told}");
        }
    }
}
