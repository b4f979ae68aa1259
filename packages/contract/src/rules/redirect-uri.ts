import { limits } from '../shared/limits.ts';

/** Stands for the redirect URI of an integration in the sentences of the failures. */
export const REDIRECT_URI = '<origin>/oauth/callback/<integration id>';

/** Where a provider sends people back to. @param origin Gatehouse's own */
export function redirectUriAt(origin: string, integrationId: string): string {
  return `${origin}/oauth/callback/${integrationId}`;
}

/** A text that names the redirect URI to enter, unless it gets too long for a message. */
export function namingRedirectUri(text: string, redirectUri: string): string {
  const named = text.replace(REDIRECT_URI, redirectUri);
  return named.length > limits.validationMessage ? text : named;
}
