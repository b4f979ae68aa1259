const SHOWN = [
  'authMode',
  'category',
  'if-match',
  'name',
  'role',
  'scopes',
  'type',
  'x-request-id',
];

/**
 * A copy that is safe to log: strings are shown under the names above only. Everything else is
 * hidden, so that a field added later, or a secret in a URL, is never logged.
 */
export function redact(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => redact(item, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key)]));
  }
  return typeof value !== 'string' || SHOWN.includes(name) ? value : '[redacted]';
}
