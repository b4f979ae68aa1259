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
 * A copy fit for a log: texts are shown under the names above only. What is not known to be harmless
 * is hidden, so that a field added later, or a secret within a URL, stays out of the log.
 */
export function redact(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => redact(item, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key)]));
  }
  return typeof value !== 'string' || SHOWN.includes(name) ? value : '[redacted]';
}
