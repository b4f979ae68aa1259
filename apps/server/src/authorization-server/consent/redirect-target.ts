import { formSourceOf } from '../../http/pages/form-target.ts';

/** The destination of a redirect URI, in words for people. */
export interface RedirectTarget {
  readonly kind: 'website' | 'this_computer' | 'installed_app';
  /** The host and port, or the scheme, that a remembered consent is bound to. */
  readonly host: string;
  /** See `formSourceOf`. */
  readonly formAction: string | undefined;
}

export function redirectTargetOf(redirectUri: string): RedirectTarget {
  const url = new URL(redirectUri);
  const { protocol, host } = url;
  const formAction = formSourceOf(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { kind: 'installed_app', host: protocol, formAction };
  }
  return { kind: protocol === 'https:' ? 'website' : 'this_computer', host, formAction };
}
