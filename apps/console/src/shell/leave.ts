import { refusalOf, send } from '../api/refusal.ts';
import { sayProblem } from '../components/announcements.ts';

/** Where signing in is, and back to this view afterwards. */
export function signInUrl(): string {
  const { pathname, search } = location;
  return `/sign-in?return_to=${encodeURIComponent(pathname + search)}`;
}

/** Ends the browser session, and with it the console's tokens, or says that it did not. */
export function signOut(): void {
  endSession().catch((error) => sayProblem('You are still signed in.', error));
}

async function endSession(): Promise<void> {
  const response = await send('/console/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw await refusalOf(response);
  location.assign('/sign-in');
}
