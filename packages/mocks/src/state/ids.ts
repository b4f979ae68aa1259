/** An id and the time that it contains. */
export interface NewId {
  /** UUIDv7, lower case. */
  readonly id: string;
  readonly createdAt: string;
}

const COUNTER_LIMIT = 0x1000;

/**
 * Creates UUIDv7s in ascending order: `rand_a` is a counter (RFC 9562, section 6.2, method 1). When it
 * overflows, or the clock goes back, ids continue from the time of the last one.
 */
export function createIdSource(): () => NewId {
  let lastMillisecond = 0;
  let counter = 0;
  return () => {
    const now = Date.now();
    counter += 1;
    if (now > lastMillisecond || counter === COUNTER_LIMIT) {
      lastMillisecond = Math.max(now, lastMillisecond + 1);
      counter = 0;
    }
    return {
      id: format(lastMillisecond, counter),
      createdAt: new Date(lastMillisecond).toISOString(),
    };
  };
}

/** An id of another time, in epoch milliseconds. */
export function idAt(millisecond: number): string {
  return format(millisecond, 0);
}

/** Milliseconds since 1970, at which an id was made. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function format(millisecond: number, sequence: number): string {
  const time = millisecond.toString(16).padStart(12, '0');
  const random = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const variant = (8 + (Number.parseInt(random.slice(0, 1), 16) & 3)).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${sequence.toString(16).padStart(3, '0')}`,
    variant + random.slice(1, 4),
    random.slice(4),
  ].join('-');
}
