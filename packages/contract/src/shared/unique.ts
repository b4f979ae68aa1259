/** The distinct values of a list in order of first appearance. */
export function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
