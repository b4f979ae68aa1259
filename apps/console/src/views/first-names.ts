import { isolated } from '../components/with-names.tsx';

const words = new Intl.ListFormat('en', { type: 'conjunction' });

/** Names that a sentence can hold. */
const NAMED = 8;

/** The first names, for `WithNames`, and the number of the others. @param total of all, named or not */
export function firstNames(names: readonly string[], total = names.length): string {
  const shown = names.slice(0, NAMED).map(isolated);
  const rest = total - shown.length;
  return words.format(rest > 0 ? [...shown, `${rest.toLocaleString('en')} more`] : shown);
}
