import type { Decision } from './identity-provider.ts';

/**
 * Opens an authorization URL and submits the consent page, as a person in a browser would.
 *
 * @throws Error if there is no page to submit, or submitting it does not redirect
 */
export async function approve(
  authorizationUrl: string | URL,
  { sub, decision = 'approve' }: Decision = {},
): Promise<URL> {
  const shown = await fetch(authorizationUrl, { redirect: 'manual' });
  const at = shown.headers.get('location');
  if (at !== null) return new URL(at);
  const page = await shown.text();
  const [, action] = /<form method="post" action="([^"]+)"/.exec(page) ?? [];
  const [, request] = /name="request" value="([^"]+)"/.exec(page) ?? [];
  if (action === undefined || request === undefined) {
    throw new Error(`The provider showed no consent page, but status ${shown.status}.`);
  }
  const selected =
    /<option value="([^"]+)" selected/.exec(page) ?? /<option value="([^"]+)"/.exec(page);
  const body = new URLSearchParams({ request, decision, sub: sub ?? selected?.[1] ?? '' });
  const submitted = await fetch(action, { method: 'POST', body, redirect: 'manual' });
  await submitted.body?.cancel();
  const target = submitted.headers.get('location');
  if (target === null) throw new Error(`The consent was answered with ${submitted.status}.`);
  return new URL(target);
}
