//! What the games of a match say about the strength of its engines.
