/** An issuer without a path, with or without its final slash. `*` is part of a pattern. */
const WITHOUT_PATH = /^(https?:\/\/[^/?#]+)\/?$/i;

/** An issuer without a path loses its final slash: libraries for URLs add it, and both spellings name one server. */
export function withoutFinalSlash(issuer: string): string {
  return WITHOUT_PATH.exec(issuer)?.[1] ?? issuer;
}

/** Whether two names are of one issuer. They are compared by character (RFC 8414 section 3.3), but for that slash. */
export function isSameIssuer(one: string, other: unknown): other is string {
  return typeof other === 'string' && withoutFinalSlash(one) === withoutFinalSlash(other);
}
