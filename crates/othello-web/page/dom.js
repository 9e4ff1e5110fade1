// Elements of the page. Text from records and from the engine only ever becomes text of nodes.

export const byId = (id) => document.getElementById(id);

// Sets attributes; a function is a listener for the event of that name.
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  return element;
}

export function make(tag, attributes = {}, ...children) {
  const element = set(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

export function draw(tag, attributes = {}, ...children) {
  const element = set(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes);
  element.append(...children);
  return element;
}

export const cells = (tag, ...contents) => contents.map((content) => make(tag, {}, content));

// Writes text only if it changes, to spare screen readers and the layout.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Returns a function that has `render` called once before the next frame, however often it is called.
export function eachFrame(render) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      render();
    });
  };
}

// Returns whether keys belong to the focused element: a field for text or numbers, or a list to choose from.
export const isField = (target) => target instanceof Element && target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select');
