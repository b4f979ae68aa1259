/** Where a redirect URI leads, in the words of a person. */
export interface RedirectTarget {
  readonly kind: 'website' | 'this_computer' | 'installed_app';
  /** What a remembered consent is bound to: host and port, or the scheme. */
  readonly host: string;
  /** The source for `form-action` (CSP3 section 2.3.1); undefined where that has no notation for it. */
  readonly formAction: string | undefined;
}

export function redirectTargetOf(redirectUri: string): RedirectTarget {
  const { protocol, origin, host, hostname } = new URL(redirectUri);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { kind: 'installed_app', host: protocol, formAction: protocol };
  }
  // CSP has no notation for IPv6 addresses.
  const formAction = hostname.startsWith('[') ? undefined : origin;
  return { kind: protocol === 'https:' ? 'website' : 'this_computer', host, formAction };
}
