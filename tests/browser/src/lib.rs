//! A browser that tests drive: chromium without a window, over the [DevTools protocol].
//!
//! [DevTools protocol]: https://chromedevtools.github.io/devtools-protocol/

mod browser;
mod page;
mod protocol;
mod server;

pub use browser::Browser;
pub use page::Page;
pub use server::Server;
