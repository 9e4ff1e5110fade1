// Light and dark: the system's choice, or a person's.

const CHOICES = ['system', 'light', 'dark'];
const KEY = 'othello-theme';

function saved() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be forbidden
  }
}

function save(choice) {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // The choice then lasts as long as the page.
  }
}

// Lets a list of choices set the theme.
export function chooseTheme(select) {
  const apply = (choice) => { document.documentElement.dataset.theme = choice; };
  select.value = CHOICES.includes(saved()) ? saved() : 'system';
  apply(select.value);
  select.addEventListener('change', () => {
    apply(select.value);
    save(select.value);
  });
}
