import { randomInt, randomUUID } from 'node:crypto';

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

/** @param time milliseconds since 1970; ids that were made before it are smaller, the others are not */
export function smallestIdAt(time: number): string {
  return `${timeOf(time)}-7000-8000-000000000000`;
}

/** Milliseconds since 1970, at which an id was made. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The variant and `rand_b` come from a random UUID, which Node makes from buffered random bytes. */
function format(millisecond: number, sequence: number): string {
  const randA = sequence.toString(16).padStart(3, '0');
  return `${timeOf(millisecond)}-7${randA}${randomUUID().slice(18)}`;
}

/** The first 48 bits of an id, in its two groups. */
function timeOf(millisecond: number): string {
  const time = millisecond.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
