// The view that watches games.

// Shows the games in a container.
export function open(container) {
  container.replaceChildren();
}
