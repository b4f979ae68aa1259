import type { Span } from '../json/node.ts';

/** A body in which the value at a place is another one; every other byte stays. @param value raw JSON */
export function replaced(body: Buffer, { start, end }: Span, value: string): Buffer {
  return Buffer.concat([body.subarray(0, start), Buffer.from(value), body.subarray(end)]);
}
