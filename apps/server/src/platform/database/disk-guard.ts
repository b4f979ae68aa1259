import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { MORE_FILES, OUT_OF_FILES } from '../operator-error.ts';
import { OTHERS } from '../private-directory.ts';
import type { LockLostError } from './start-error.ts';

/** Node's codes for a disk that is full or fails. */
const DISK_FAILURES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']);

/** Node's codes when a log file is merely probed, or already exists. */
const ANSWERS = new Set(['ENOENT', 'EEXIST']);

/** The folder of PostgreSQL's log. */
const LOG = /\/pg_wal(?:\/|$)/;

const BETTER_DISK = 'Make room on the disk of GATEHOUSE_DATA_DIR, or replace it';

/** The disk below the embedded database is full or fails. The database is not used any more. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  /** Not `code`: Emscripten would turn it into a number for the program. */
  readonly reason: string;

  constructor(reason: string) {
    super(
      `The embedded database can no longer be written (${reason}). ` +
        `${OUT_OF_FILES.has(reason) ? MORE_FILES : BETTER_DISK}, and start again: nothing that was acknowledged is lost.`,
    );
    this.reason = reason;
  }
}

/** Why the embedded database is not used any more. */
export type EmbeddedFailure = DiskError | LockLostError;

/** Milliseconds after which the lock of the directory is checked again, however little is written. */
const CHECK_EVERY = 1_000;

/** The lock of the directory that holds the database. */
interface HeldLock {
  findLoss(): LockLostError | undefined;
}

interface Attributes {
  readonly mode?: number;
}

/** The part of Emscripten's NODEFS that is guarded here. */
interface NodeFileSystem {
  tryFSOperation<T>(operation: () => T): T;
  realPath(node: unknown): string;
  doSetAttr(file: unknown, node: unknown, attributes: Attributes, ...rest: unknown[]): void;
  readonly node_ops: {
    mknod(parent: unknown, ...rest: unknown[]): unknown;
  };
  readonly stream_ops: {
    open(stream: { readonly node: unknown }): void;
    write(...args: [stream: unknown, bytes: unknown, offset: number, length: number]): number;
  };
}

/**
 * Stops the database at the first write that fails, or when its directory is no longer locked. PostgreSQL
 * ends its process when it cannot write or open its log. Compiled to WebAssembly (PGlite 0.5) it retries
 * forever and blocks the event loop. So the error leaves WebAssembly as an exception, and nothing enters
 * it again. The files are then as after a kill: the next start recovers them.
 */
export class DiskGuard {
  readonly #onFailure: (error: EmbeddedFailure) => void;
  #failure: EmbeddedFailure | undefined;
  /** The code of an operation that had no file left. PostgreSQL may go on without the file, but cannot start. */
  #shortage: string | undefined;
  /** True during an operation that must not fail. */
  #isVital = false;
  #lock: HeldLock | undefined;
  /** When the lock has last been checked, by the monotonic clock. */
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(onFailure: (error: EmbeddedFailure) => void = () => {}) {
    this.#onFailure = onFailure;
  }

  /** The file system to give to PGlite. */
  fileSystem(directory: string): NodeFS {
    return new GuardedNodeFS(directory, (nodefs) => this.#guard(nodefs));
  }

  /**
   * Refuses to run anything once the disk has failed, or the lock is lost. Checks the lock before the first
   * write of each statement, and every second.
   */
  attach(database: PGlite, lock: HeldLock | undefined): PGlite {
    this.#lock = lock;
    const timer = setInterval(() => {
      this.#checkedAt = Number.NEGATIVE_INFINITY;
      this.#checkLock();
    }, CHECK_EVERY);
    timer.unref();
    const execute = database.execProtocolRawSync.bind(database);
    const close = database.close.bind(database);
    return Object.assign(database, {
      execProtocolRawSync: (message: Uint8Array) => {
        this.check();
        this.#checkedAt = Number.NEGATIVE_INFINITY;
        const response = execute(message);
        // PGlite 0.5 catches what it does not know: a lone statement would be acknowledged.
        this.check();
        return response;
      },
      close: () => {
        clearInterval(timer);
        return close();
      },
    });
  }

  /** Runs an operation of Node on the files. @throws DiskError when the disk is full or fails. */
  run<T>(operation: () => T): T {
    this.check();
    try {
      return operation();
    } catch (error) {
      if (hasCode(error) && OUT_OF_FILES.has(error.code)) this.#shortage = error.code;
      throw this.#isFatal(error) ? this.#fail(new DiskError(error.code)) : error;
    }
  }

  /** @throws DiskError when the disk has failed. @throws LockLostError */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Says why the database did not start, if that is known. @throws DiskError @throws LockLostError */
  checkStart(): void {
    this.check();
    if (this.#shortage !== undefined) throw this.#fail(new DiskError(this.#shortage));
  }

  #guard(nodefs: NodeFileSystem): void {
    const { tryFSOperation, doSetAttr, node_ops: nodes, stream_ops: streams } = nodefs;
    const { mknod } = nodes;
    const { open, write } = streams;
    nodefs.tryFSOperation = (operation) => tryFSOperation(() => this.run(operation));
    nodefs.doSetAttr = (file, node, attributes, ...rest) =>
      doSetAttr(file, node, forOwner(attributes), ...rest);
    const isLog = (node: unknown) => LOG.test(nodefs.realPath(node));
    nodes.mknod = (parent, ...rest) => this.#do(isLog(parent), () => mknod(parent, ...rest));
    streams.open = (stream) => this.#do(isLog(stream.node), () => open(stream));
    streams.write = (...args) => {
      this.#checkLock();
      this.check();
      const written = this.#do(true, () => write(...args));
      // The rest did not fit: PostgreSQL takes that for a full disk too.
      if (written < args[3]) throw this.#fail(new DiskError('ENOSPC'));
      return written;
    };
  }

  #do<T>(isVital: boolean, operation: () => T): T {
    this.#isVital = isVital;
    try {
      return operation();
    } finally {
      this.#isVital = false;
    }
  }

  #isFatal(error: unknown): error is Error & { readonly code: string } {
    if (!hasCode(error)) return false;
    return DISK_FAILURES.has(error.code) || (this.#isVital && !ANSWERS.has(error.code));
  }

  /** Looks after the lock, unless that has just been done. */
  #checkLock(): void {
    const now = performance.now();
    if (now - this.#checkedAt < CHECK_EVERY) return;
    this.#checkedAt = now;
    const loss = this.#lock?.findLoss();
    if (loss !== undefined && this.#failure === undefined) this.#fail(loss);
  }

  #fail<Failure extends EmbeddedFailure>(failure: Failure): Failure {
    this.#failure = failure;
    this.#onFailure(failure);
    return failure;
  }
}

/** Emscripten sets the rights of each file that it creates, whatever the umask of the process. */
function forOwner(attributes: Attributes): Attributes {
  const { mode } = attributes;
  return mode === undefined ? attributes : { ...attributes, mode: mode & ~OTHERS };
}

class GuardedNodeFS extends NodeFS {
  readonly #guard: (nodefs: NodeFileSystem) => void;

  constructor(directory: string, guard: (nodefs: NodeFileSystem) => void) {
    super(directory);
    this.#guard = guard;
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const guard = (module: unknown): void => {
      if (!hasNodeFileSystem(module)) throw new Error('PGlite has no NODEFS.');
      this.#guard(module.NODEFS);
    };
    const { preRun = [] } = emscriptenOpts;
    const steps = Array.isArray(preRun) ? preRun : [preRun];
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [guard, ...steps] } };
  }
}

function hasNodeFileSystem(module: unknown): module is { readonly NODEFS: NodeFileSystem } {
  return typeof module === 'object' && module !== null && 'NODEFS' in module;
}

function hasCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
