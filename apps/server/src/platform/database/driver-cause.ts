/** The driver's own error, without what Prisma wraps around it. */
export interface DriverCause {
  /** Its SQLSTATE or socket error code. */
  readonly code: string | undefined;
  /** The driver adapter's classification (`MappedError` of @prisma/driver-adapter-utils). */
  readonly kind: string | undefined;
  readonly message: string;
}

/** The innermost error that the database driver reported; `undefined` when `error` is no object. */
export function driverCause(error: unknown): DriverCause | undefined {
  const seen = new Set<unknown>();
  let current = error;
  while (isObject(current) && !seen.has(current)) {
    seen.add(current);
    if (typeof current.originalMessage === 'string') break;
    const next = isObject(current.meta) ? current.meta.driverAdapterError : current.cause;
    if (!isObject(next)) break;
    current = next;
  }
  if (!isObject(current)) return undefined;
  const { originalCode, originalMessage, code, message, kind } = current;
  return {
    code: textOf(originalCode) ?? textOf(code),
    kind: textOf(kind),
    message: textOf(originalMessage) ?? textOf(message) ?? '',
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
