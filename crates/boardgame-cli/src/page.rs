//! Pages of one file for a browser.

use serde::Serialize;

/// The HTML of all pages, in which `{{title}}`, `{{style}}`, `{{body}}`, `{{script}}` and `{{data}}` are filled in.
const TEMPLATE: &str = include_str!("page.html");

/// The first bytes of every page.
pub const PAGE_START: &[u8] = b"<!DOCTYPE html>";

/// The parts of a page in a single file. Its policy forbids it to load anything.
///
/// The parts are inserted as they are, so they must be those of the program, never those of a user. The script reads
/// the data as JSON from the element `data`, and should turn its text into nothing but text.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The title.
    pub title: &'a str,
    /// The style sheet.
    pub style: &'a str,
    /// The HTML between the head and the data.
    pub body: &'a str,
    /// The script.
    pub script: &'a str,
}

impl Page<'_> {
    /// Returns the page that shows some data.
    ///
    /// # Errors
    ///
    /// Fails if the data cannot be written as JSON.
    pub fn with(&self, data: &impl Serialize) -> serde_json::Result<String> {
        // Neither ends its `<script>` nor starts a comment there. In JSON both occur only in strings.
        let data = serde_json::to_string(data)?;
        let data = data.replace('<', "\\u003c").replace('>', "\\u003e");
        let page = TEMPLATE.replace("{{title}}", self.title);
        let page = page.replace("{{style}}", self.style);
        let page = page.replace("{{body}}", self.body);
        let page = page.replace("{{script}}", self.script);
        // Last, since the data may contain such words.
        Ok(page.replacen("{{data}}", &data, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_leave_its_element() {
        const HOSTILE: &str = "</script><script>alert(1)</script><!-- {{script}} & \u{2028}";
        let page = Page {
            title: "Title",
            style: "",
            body: "",
            script: "'use strict';",
        };
        let page = page.with(&[HOSTILE]).expect("a page");
        assert!(page.as_bytes().starts_with(PAGE_START));
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
        let (_, data) = page.split_once("type=\"application/json\"").expect("data");
        let (_, data) = data.split_once('>').expect("its start");
        let (data, _) = data.split_once("</script>").expect("its end");
        let read: Vec<String> = serde_json::from_str(data).expect("JSON");
        assert_eq!(read, [HOSTILE]);
    }
}
