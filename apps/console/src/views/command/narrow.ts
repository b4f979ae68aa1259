import type { CommandGroup } from '../../components/command-dialog.tsx';
import { hasWords } from '../has-words.ts';

/** More of the text finds the others. */
const SHOWN = 8;

/** The commands that have all words of a text. Those that begin with it come first. */
export function narrowed({ label, items }: CommandGroup, text: string): CommandGroup {
  const beginning = text.trim().toLowerCase();
  const isFirst = (name: string) => name.toLowerCase().startsWith(beginning);
  const found = items.filter((item) => hasWords(text, item.label, item.hint ?? ''));
  const sorted = found.toSorted(
    (one, other) => Number(isFirst(other.label)) - Number(isFirst(one.label)),
  );
  return { label, items: sorted };
}

/** At most as many as can be looked through; the label says so. */
export function cut({ label, items }: CommandGroup): CommandGroup {
  if (items.length <= SHOWN) return { label, items };
  return { label: `${label}, the first ${SHOWN}`, items: items.slice(0, SHOWN) };
}
