import { randomBytes, randomInt } from 'node:crypto';

/** An id and the time it contains. Sorting by id sorts by creation. */
export interface NewId {
  /** UUIDv7, lower case. */
  readonly id: string;
  readonly createdAt: Date;
}

const COUNTER_LIMIT = 0x1000;

let lastMillisecond = 0;
let counter = 0;

/**
 * Creates a UUIDv7. Within a process ids increase in the order of the calls: `rand_a` contains a
 * 12-bit counter (RFC 9562, section 6.2, method 1), which each millisecond starts at a random value
 * in its lower half. When the counter overflows or the clock goes back, ids continue from the last one.
 */
export function createId(): NewId {
  const now = Date.now();
  if (now > lastMillisecond) {
    startMillisecond(now);
  } else {
    counter += 1;
    if (counter === COUNTER_LIMIT) startMillisecond(lastMillisecond + 1);
  }
  return { id: format(lastMillisecond, counter), createdAt: new Date(lastMillisecond) };
}

function startMillisecond(millisecond: number): void {
  lastMillisecond = millisecond;
  counter = randomInt(COUNTER_LIMIT / 2);
}

function format(millisecond: number, sequence: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(millisecond, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20, 32]
    .map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end))
    .join('-');
}
