/** The segments of a path that stand for the parameters of its template, by name. */
export function paramsOf(template: string, path: string): Record<string, string> {
  const segments = path.split('/');
  const named = template.split('/').map((name, index) => [name, segments[index] ?? ''] as const);
  return Object.fromEntries(
    named.filter(([name]) => name.startsWith(':')).map(([name, text]) => [name.slice(1), text]),
  );
}

/** The path of a template with its parameters filled in, in their order. */
export function pathOf(template: string, ids: readonly string[]): string {
  return ids.reduce((path, id) => path.replace(/:\w+/, () => id), template);
}
