import type { LaunchedProcess } from '@gatehouse/harness';
import { afterFile } from '../../support/after-file.ts';
import { formsOf, SHORTEST_SECRET } from './secret-forms.ts';

/** Something that processes wrote. */
interface Log {
  readonly label: string;
  read(): string;
}

interface Secret {
  readonly label: string;
  readonly form: string;
}

let logs: Log[] = [];
/** By how they begin, so that one pass over a text finds any of thousands. */
let secrets = new Map<string, Secret[]>();
let isAwaited = false;

/** What a process writes in this test file is searched for its secrets when the file has ended. */
export function noteOutput(
  label: string,
  output: Pick<LaunchedProcess, 'stdout' | 'stderr'>,
  { isFirstTokenShown }: { readonly isFirstTokenShown: boolean },
): void {
  searchAfterFile();
  // The one token that is shown, once, stands between the lines of the log.
  const isSearched = (line: string) => !isFirstTokenShown || line.startsWith('{');
  const read = () => output.stdout.split('\n').filter(isSearched).join('\n') + output.stderr;
  logs.push({ label, read });
}

/** Too short a text is not searched for. */
export function noteSecret(label: string, value: string): void {
  searchAfterFile();
  if (value.length < SHORTEST_SECRET) return;
  for (const form of new Set(formsOf(value))) {
    const start = form.slice(0, SHORTEST_SECRET);
    const alike = secrets.get(start) ?? [];
    if (alike.some((known) => known.form === form)) continue;
    secrets.set(start, [...alike, { label, form }]);
  }
}

/** One line for each secret in each log noted so far; both are forgotten. */
export function takeLeaks(): string[] {
  const leaks = logs.flatMap(({ label, read }) => {
    const text = read();
    const found = new Set<string>();
    for (let at = 0; at <= text.length - SHORTEST_SECRET; at += 1) {
      const alike = secrets.get(text.slice(at, at + SHORTEST_SECRET)) ?? [];
      for (const secret of alike) if (text.startsWith(secret.form, at)) found.add(secret.label);
    }
    return [...found].map((secret) => `${secret} stands in what ${label} wrote`);
  });
  logs = [];
  secrets = new Map();
  return leaks;
}

function searchAfterFile(): void {
  if (isAwaited) return;
  isAwaited = true;
  afterFile(() => {
    isAwaited = false;
    const leaks = takeLeaks();
    if (leaks.length > 0) throw new Error(leaks.join('\n'));
  });
}
