//! A server of the files in a folder, for pages that need no other.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use anyhow::bail;

/// A server of files, which goes on until the process ends.
pub struct Files {
    address: String,
    is_stopped: Arc<AtomicBool>,
}

impl Files {
    /// Serves the files of a folder on a free port.
    ///
    /// # Errors
    ///
    /// An error if the folder has no page, or if no port can be had.
    pub fn serve(folder: &Path) -> anyhow::Result<Self> {
        if !folder.join("index.html").exists() {
            bail!("expected index.html in {}", folder.display());
        }
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        let folder = folder.to_owned();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let must_stop = is_stopped.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if must_stop.load(Ordering::Relaxed) {
                    break;
                }
                let folder = folder.clone();
                // A browser that goes away while it loads is none of the server's business.
                thread::spawn(move || answer(&stream, &folder));
            }
        });
        Ok(Self {
            address,
            is_stopped,
        })
    }

    /// Answers no more requests.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// The address, without a path.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// Answers the one request of a connection.
fn answer(mut stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines
        .next()
        .transpose()?
        .is_some_and(|line| !line.is_empty())
    {}
    let (status, kind, content) = match find(&request, folder) {
        Some((kind, content)) => ("200 OK", kind, content),
        None => ("404 Not Found", "text/plain", Vec::new()),
    };
    let length = content.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&content)
}

/// Returns the file that a request names, and its type.
fn find(request: &str, folder: &Path) -> Option<(&'static str, Vec<u8>)> {
    let path = request.strip_prefix("GET /")?.split([' ', '?']).next()?;
    let name = if path.is_empty() { "index.html" } else { path };
    let kind = match PathBuf::from(name).extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" => "text/javascript",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    };
    let is_in_folder = !name.contains('/');
    let content = is_in_folder.then(|| fs::read(folder.join(name)).ok())??;
    Some((kind, content))
}
