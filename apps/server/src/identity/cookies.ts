/** A cookie of ours: which name it has at the public URL, and how it is set. */
export interface Cookie {
  /** The value in a Cookie header; `undefined` without one, or when it could not be ours. */
  read(header: string | undefined): string | undefined;
  /** A Set-Cookie value. @param seconds how long the browser keeps it */
  set(value: string, seconds: number): string;
  /** The Set-Cookie value that removes it. */
  clear(): string;
}

/** 256 random bits in base64url, perhaps with a suffix of ours. */
const VALUE = /^[A-Za-z0-9_.-]{43,200}$/;

/**
 * At an https URL the name begins with `__Host-`: no other host and no plain-http page can then set it
 * (RFC 6265bis, section 4.1.3.2).
 */
export function createCookie(name: string, publicUrl: string): Cookie {
  const isSecure = publicUrl.startsWith('https:');
  const fullName = isSecure ? `__Host-${name}` : name;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const set = (value: string, seconds: number): string =>
    `${fullName}=${value}; Max-Age=${seconds}; ${attributes}`;
  return {
    read(header = '') {
      const values = header
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${fullName}=`))
        .map((pair) => pair.slice(fullName.length + 1));
      // Two cookies of one name: we cannot know which one is ours.
      const [value] = values;
      return values.length === 1 && value !== undefined && VALUE.test(value) ? value : undefined;
    },
    set,
    clear: () => set('', 0),
  };
}
