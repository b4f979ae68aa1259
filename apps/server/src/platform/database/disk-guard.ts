import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** What Node reports when a disk is full or fails. */
const DISK_FAILURES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS']);

/** The disk below the embedded database is full or fails. The database is not used any more. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  /** Not `code`: Emscripten would turn it into a number for the program. */
  readonly reason: string;

  constructor(reason: string) {
    super(
      `The embedded database can no longer be written (${reason}). ` +
        'Make room on the disk of GATEHOUSE_DATA_DIR, or replace it, and start again: nothing that was acknowledged is lost.',
    );
    this.reason = reason;
  }
}

/** The part of Emscripten's NODEFS that is guarded here. */
interface NodeFileSystem {
  tryFSOperation<T>(operation: () => T): T;
  readonly stream_ops: {
    write(...args: [stream: unknown, bytes: unknown, offset: number, length: number]): number;
  };
}

/**
 * Stops the database at the first write that fails. PostgreSQL ends its process when it cannot write
 * its log; compiled to WebAssembly (PGlite 0.5) it tries to, for ever, and the event loop with it. So
 * the error leaves WebAssembly as an exception, and nothing enters it again. What is on the disk is what
 * a killed process leaves: the next start recovers it.
 */
export class DiskGuard {
  readonly #onFailure: (error: DiskError) => void;
  #failure: DiskError | undefined;

  constructor(onFailure: (error: DiskError) => void = () => {}) {
    this.#onFailure = onFailure;
  }

  /** The file system to give to PGlite. */
  fileSystem(directory: string): NodeFS {
    return new GuardedNodeFS(directory, (nodefs) => this.#guard(nodefs));
  }

  /** Refuses to run anything once the disk has failed. */
  attach(database: PGlite): PGlite {
    const execute = database.execProtocolRawSync.bind(database);
    return Object.assign(database, {
      execProtocolRawSync: (message: Uint8Array) => {
        this.check();
        return execute(message);
      },
    });
  }

  /** @throws DiskError when the disk has failed. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #guard(nodefs: NodeFileSystem): void {
    const { tryFSOperation } = nodefs;
    nodefs.tryFSOperation = (operation) =>
      tryFSOperation(() => {
        this.check();
        try {
          return operation();
        } catch (error) {
          throw isDiskFailure(error) ? this.#fail(error.code) : error;
        }
      });
    const { write } = nodefs.stream_ops;
    nodefs.stream_ops.write = (...args) => {
      const written = write(...args);
      // The rest did not fit: PostgreSQL takes that for a full disk too.
      if (written < args[3]) throw this.#fail('ENOSPC');
      return written;
    };
  }

  #fail(reason: string): DiskError {
    const failure = new DiskError(reason);
    this.#failure = failure;
    this.#onFailure(failure);
    return failure;
  }
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

function isDiskFailure(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    DISK_FAILURES.has(error.code)
  );
}
