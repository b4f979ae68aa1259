import { explain } from '../api/problems.ts';

/** A sentence about what was done, or was not. */
export interface Announcement {
  readonly sentence: string;
  readonly undo?: (() => void) | undefined;
  readonly isProblem: boolean;
}

type Listener = (announcement: Announcement) => void;

const waiting: Announcement[] = [];
const watchers = new Set<() => void>();
let listener: Listener | undefined;
let hasAny = false;

function announce(announcement: Announcement): void {
  if (listener !== undefined) {
    listener(announcement);
    return;
  }
  waiting.push(announcement);
  hasAny = true;
  for (const watcher of watchers) watcher();
}

/** Says what was done, with the way to undo it where there is one. */
export function say(sentence: string, undo?: () => void): void {
  announce({ sentence, undo, isProblem: false });
}

/** Says what was not done, and why. */
export function sayProblem(what: string, error: unknown): void {
  announce({ sentence: `${what} ${explain(error).sentence}`, isProblem: true });
}

/** Shows what is said, also what was said before. Returns what ends that. */
export function onAnnouncement(show: Listener): () => void {
  listener = show;
  for (const announcement of waiting.splice(0)) show(announcement);
  return () => {
    listener = undefined;
  };
}

/** For `useSyncExternalStore`: what shows announcements is loaded with the first one. */
export const announcements = {
  subscribe(watcher: () => void): () => void {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
  hasAny: () => hasAny,
};
