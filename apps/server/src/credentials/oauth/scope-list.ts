/** RFC 6749 section 3.3 `scope-token`, within our limit. */
const SCOPE = /^[!#-[\]-~]{1,128}$/;

const MAX_SCOPES = 256;

/**
 * Scopes as providers send them: separated by spaces or commas, or as a list. Undefined if there are no
 * scopes. Invalid ones are left out.
 */
export function scopeListOf(value: unknown): readonly string[] | undefined {
  const items = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(/[\s,]+/)
      : [];
  const scopes = items.filter(
    (item): item is string => typeof item === 'string' && SCOPE.test(item),
  );
  return scopes.length === 0 ? undefined : [...new Set(scopes)].slice(0, MAX_SCOPES);
}
