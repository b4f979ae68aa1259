import fs from 'node:fs';

/** What fails: a call of `node:fs` on a path, with a code of the system, or by writing only a part. */
export interface DiskFault {
  readonly call: 'openSync' | 'writeFileSync' | 'writeSync';
  readonly path: RegExp;
  readonly code: string;
}

/** The code of a fault without an error: half of the bytes are written. */
export const SHORT_WRITE = 'a short write';

export interface FaultyDisk {
  /** From now on. */
  fail(fault: DiskFault): void;
  /** Nothing fails any more. */
  mend(): void;
  /** The calls that were made, by name. */
  readonly called: ReadonlySet<string>;
  /** Gives `node:fs` its own functions back. */
  remove(): void;
}

type Call = (...args: never[]) => unknown;

/** The first gives a file descriptor, the second makes a file, the others take a descriptor. */
const CALLS = ['openSync', 'writeFileSync', 'writeSync', 'fsyncSync', 'fdatasyncSync'] as const;

/**
 * Puts itself below everything in this process that uses `node:fs` through its object, as PGlite does.
 * Before the database is opened: what a descriptor leads to is seen when it is opened.
 */
export function insertFaultyDisk(): FaultyDisk {
  const paths = new Map<unknown, string>();
  const called = new Set<string>();
  const own = Object.fromEntries(CALLS.map((name) => [name, fs[name] as Call]));
  let fault: DiskFault | undefined;

  const through = (name: (typeof CALLS)[number], real: Call) => {
    return (...args: unknown[]): unknown => {
      called.add(name);
      const path = paths.get(args[0]) ?? String(args[0]);
      const isHit = fault?.call === name && fault.path.test(path);
      if (isHit && fault?.code !== SHORT_WRITE) throw failureOf(fault?.code ?? '', name);
      if (isHit) args[3] = Math.floor(Number(args[3]) / 2);
      const result = Reflect.apply(real, fs, args);
      if (name === 'openSync') paths.set(result, path);
      return result;
    };
  };
  for (const name of CALLS) Object.assign(fs, { [name]: through(name, fs[name] as Call) });

  return {
    fail: (next) => {
      fault = next;
    },
    mend: () => {
      fault = undefined;
    },
    called,
    remove: () => void Object.assign(fs, own),
  };
}

function failureOf(code: string, syscall: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: injected`), { code, syscall });
}
