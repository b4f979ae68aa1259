import { type Request, type RequestHandler, type Response, Router } from 'express';
import { requestOf } from '../http/context.ts';
import { html } from '../http/pages/html.ts';
import { sendToSignIn } from '../http/pages/return-to.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { actorInBrowser, type SignedInPerson } from '../identity/browser-sessions.ts';
import { hashPassword, storePassword } from '../identity/passwords.ts';
import { findPerson, type Person } from '../identity/people.ts';
import { accountBody, type ChangeErrors } from './account-body.ts';
import { checkPassword } from './check-password.ts';
import { requirePasswords, type SignInDeps } from './deps.ts';
import { enter } from './enter.ts';
import { findGrantsShown } from './grants-page.ts';
import { readNewPassword } from './new-password.ts';

/**
 * `GET /account`: the person, their grants, and signing out. `POST /account/password` changes the
 * password.
 */
export function accountPage(deps: SignInDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/account', show(deps));
  router.post('/account/password', changePassword(deps));
  router.post('/sign-out', signOut(deps));
  return router;
}

interface SignedIn {
  readonly session: SignedInPerson;
  readonly person: Person;
}

async function findSignedIn(
  { sessions, store }: SignInDeps,
  cookieHeader: string | undefined,
): Promise<SignedIn | undefined> {
  const session = await sessions.find(cookieHeader);
  const person = session && (await findPerson(store.db, session.userId));
  return session && person ? { session, person } : undefined;
}

function show(deps: SignInDeps): RequestHandler {
  return async (req, res) => {
    const signedIn = await findSignedIn(deps, req.headers.cookie);
    if (signedIn === undefined) return sendToSignIn(res, '/account');
    await sendAccount(deps, req, res, signedIn);
  };
}

async function sendAccount(
  { forms, store, hasPasswords }: SignInDeps,
  req: Request,
  res: Response,
  { session, person, errors }: SignedIn & { readonly errors?: ChangeErrors },
): Promise<void> {
  const grants = await findGrantsShown(store.db, person.id);
  const body = accountBody(
    { person, grants, hasPasswords, errors },
    forms.field(req, res, session),
  );
  sendPage(res, { status: errors === undefined ? 200 : 400, title: 'Your account', body });
}

function changePassword(deps: SignInDeps): RequestHandler {
  const { store, forms } = deps;
  return async (req, res) => {
    const signedIn = await findSignedIn(deps, req.headers.cookie);
    if (signedIn === undefined) return sendToSignIn(res, '/account');
    const { session, person } = signedIn;
    const fields = await forms.read(req, session);
    requirePasswords(deps);
    const refuse = (errors: ChangeErrors) => sendAccount(deps, req, res, { ...signedIn, errors });
    const chosen = readNewPassword(fields, person.email);
    if (chosen.errors !== undefined) return refuse(chosen.errors);
    if (person.passwordHash !== null) {
      const present = fields.get('present') ?? '';
      const proven = await checkPassword(deps, req, {
        email: person.email,
        password: present,
        request: requestOf(res),
      });
      if (proven?.id !== person.id)
        return refuse({ present: 'That is not your current password.' });
    }
    const userId = person.id;
    const passwordHash = await hashPassword(chosen.password);
    const change = { userId, passwordHash, previousHash: person.passwordHash };
    const actor = actorInBrowser(session, requestOf(res));
    const isStored = await store.transaction((tx) => storePassword(tx, change, actor));
    if (!isStored) return refuse({ present: 'The password was changed elsewhere just now.' });
    await enter(deps, req, res, { userId, way: 'password', passwordHash, returnTo: '/account' });
  };
}

function signOut({ sessions, forms }: SignInDeps): RequestHandler {
  return async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    if (person === undefined) return sendSignedOut(res);
    const fields = await forms.read(req, person);
    const request = requestOf(res);
    if (fields.get('everywhere') === '1') await sessions.endAll(actorInBrowser(person, request));
    res.append('Set-Cookie', await sessions.end(req.headers.cookie, request));
    sendSignedOut(res);
  };
}

function sendSignedOut(res: Response): void {
  sendPage(res, {
    title: 'You are signed out',
    body: html`<p>You can close this window.</p>
<a class="button secondary" href="/sign-in">Sign in again</a>`,
  });
}
