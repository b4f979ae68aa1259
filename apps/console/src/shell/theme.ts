import { useSyncExternalStore } from 'react';

const KEY = 'gatehouse-theme';
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const themeLabels = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;

const watchers = new Set<() => void>();

/** The theme is the only thing that the console stores in a browser. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset.theme = theme;
  }
  for (const watcher of watchers) watcher();
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The theme, which can be chosen at two places. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, storedTheme);
}
