//! A browser that tests drive: chromium without a window, over the [DevTools protocol].
//!
//! [DevTools protocol]: https://chromedevtools.github.io/devtools-protocol/

mod browser;
mod files;
mod page;
mod protocol;
mod server;
mod session;

pub use browser::Browser;
pub use files::Files;
pub use page::Page;
pub use server::{Server, program};
pub use session::Session;
