import { useSyncExternalStore } from 'react';

const KEY = 'gatehouse-theme';
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const themeLabels = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;

const watchers = new Set<() => void>();

let chosen: Theme | undefined;

/** The theme is the only thing that the console stores in a browser. One that stores nothing has it until it is closed. */
export function storedTheme(): Theme {
  chosen ??= themes.find((theme) => theme === read()) ?? 'system';
  return chosen;
}

export function applyTheme(theme: Theme): void {
  chosen = theme;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  store(theme);
  for (const watcher of watchers) watcher();
}

/** Where the storage of a site is blocked, each use of it throws. */
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // The theme is chosen all the same.
  }
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The theme, which can be chosen at two places. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, storedTheme);
}
