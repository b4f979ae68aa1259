/** Bytes that are copied one by one: a call of `Buffer.copy` costs as much as a hundred. */
const FEW = 64;

/** Copies bytes. @returns the index after the last one written */
export function copy(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  if (end - start > FEW) return at + from.copy(to, at, start, end);
  for (let i = start; i < end; i += 1) to[at + i - start] = from[i] as number;
  return at + end - start;
}
