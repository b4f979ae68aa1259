type Edge = readonly [from: string, to: string];

/**
 * The loops that imports between files make at any level of the tree: the files and folders in one
 * folder must not reach one another. A file may use a folder beside it while that folder's files use a
 * third file; that is not a loop.
 *
 * @param imports paths of the importing and the imported file.
 * @returns each group that reaches one another, sorted; nothing when there is no loop.
 */
export function findLoops(imports: readonly Edge[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const edge of imports) {
    const [from, to] = siblingsOf(edge);
    if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const reached = new Map([...next.keys()].map((from) => [from, reachableFrom(from, next)]));
  const loops = new Map<string, string[]>();
  for (const [from, others] of reached) {
    if (!others.has(from)) continue;
    const loop = [...others].filter((to) => reached.get(to)?.has(from)).sort();
    loops.set(loop.join(), loop);
  }
  return [...loops.values()];
}

/** The two paths, shortened to where they part: the entries of the deepest folder that holds both. */
function siblingsOf([from, to]: Edge): Edge {
  const [left, right] = [from.split('/'), to.split('/')];
  const apart = left.findIndex((name, depth) => name !== right[depth]);
  const length = apart === -1 ? left.length : apart + 1;
  return [left.slice(0, length).join('/'), right.slice(0, length).join('/')];
}

function reachableFrom(
  start: string,
  next: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...(next.get(start) ?? [])];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    if (reached.has(entry)) continue;
    reached.add(entry);
    waiting.push(...(next.get(entry) ?? []));
  }
  return reached;
}
