import { randomBytes, randomInt } from 'node:crypto';

/** An id and the instant inside it: lists sorted by id are sorted by creation. */
export interface NewId {
  /** UUIDv7, lower case. */
  readonly id: string;
  readonly createdAt: Date;
}

const COUNTER_LIMIT = 0x1000;

let lastMillisecond = 0;
let counter = 0;

/**
 * Makes a UUIDv7 whose order follows the order of calls in this process: a 12-bit counter stands in
 * `rand_a` (RFC 9562, section 6.2, method 1), seeded at random in its lower half each millisecond.
 * When it overflows, or the clock goes back, the time of the last id is carried on.
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
