import { type Request, type RequestHandler, type Response, Router } from 'express';
import { requestOf } from '../http/context.ts';
import { html } from '../http/pages/html.ts';
import { HOME } from '../http/pages/return-to.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { signingIn } from '../identity/actor.ts';
import { hashPassword, storePassword } from '../identity/passwords.ts';
import {
  findSignInLink,
  type SignInLinkHolder,
  takeSignInLink,
} from '../identity/sign-in-links.ts';
import { requirePasswords, type SignInDeps } from './deps.ts';
import { enter } from './enter.ts';
import { sendChoosePassword, sendConfirm } from './link-forms.ts';
import { readNewPassword } from './new-password.ts';

/** `GET|POST /sign-in/link/:secret`: GET shows the form, and only its POST uses the link. */
export function linkPage(deps: SignInDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/sign-in/link/:secret', show(deps));
  router.post('/sign-in/link/:secret', use(deps));
  return router;
}

type LinkHandler = RequestHandler<{ secret: string }>;

function show(deps: SignInDeps): LinkHandler {
  const { store, sessions, forms } = deps;
  return async (req, res) => {
    const link = await findSignInLink(store.db, req.params.secret);
    if (link === undefined) return sendGone(deps, res);
    if (link.purpose !== 'sign_in' && !deps.hasPasswords) return sendNoPasswords(res, link);
    const current = await sessions.find(req.headers.cookie);
    const isOther = current !== undefined && current.userId !== link.userId;
    const form = {
      field: forms.field(req, res, undefined),
      replaced: isOther ? current.name : undefined,
    };
    if (link.purpose === 'sign_in') sendConfirm(res, link, form);
    else sendChoosePassword(res, link, form);
  };
}

function use(deps: SignInDeps): LinkHandler {
  return async (req, res) => {
    const fields = await deps.forms.read(req, undefined);
    const { secret } = req.params;
    const link = await findSignInLink(deps.store.db, secret);
    if (link === undefined) return refuse(deps, res);
    if (link.purpose === 'sign_in') return signIn(deps, req, res, secret);
    requirePasswords(deps);
    const chosen = readNewPassword(fields, link.email);
    if (chosen.errors !== undefined) {
      const field = deps.forms.field(req, res, undefined);
      return sendChoosePassword(res, link, { field, errors: chosen.errors });
    }
    await choosePassword(deps, req, res, { secret, link, password: chosen.password });
  };
}

async function signIn(
  deps: SignInDeps,
  req: Request<{ secret: string }>,
  res: Response,
  secret: string,
): Promise<void> {
  const taken = await takeSignInLink(deps.store.db, secret, ['sign_in']);
  if (taken === undefined) return refuse(deps, res);
  await enter(deps, req, res, { userId: taken.userId, way: 'link', returnTo: HOME });
  deps.countSignIn('link', 'signed_in');
}

interface Choice {
  readonly secret: string;
  readonly link: SignInLinkHolder;
  readonly password: string;
}

async function choosePassword(
  deps: SignInDeps,
  req: Request<{ secret: string }>,
  res: Response,
  { secret, link, password }: Choice,
): Promise<void> {
  const { organizationId, userId } = link;
  const passwordHash = await hashPassword(password);
  const isStored = await deps.store.transaction(async (tx) => {
    const taken = await takeSignInLink(tx.db, secret, ['invitation', 'reset']);
    if (taken === undefined) return false;
    return storePassword(
      tx,
      { userId, passwordHash },
      signingIn(organizationId, userId, requestOf(res)),
    );
  });
  if (!isStored) return refuse(deps, res);
  await enter(deps, req, res, { userId, way: 'link', passwordHash, returnTo: HOME });
  deps.countSignIn('link', 'signed_in');
}

function refuse(deps: SignInDeps, res: Response): void {
  deps.countSignIn('link', 'refused');
  sendGone(deps, res);
}

/** Unknown, used and expired links look the same to everyone. */
function sendGone({ hasPasswords }: SignInDeps, res: Response): void {
  sendPage(res, {
    status: 404,
    title: 'This link does not work',
    body: html`<p>It was already used, it is too old, or it was not copied completely.</p>
<p>Ask an admin of your organization for a new one. The operator of this Gatehouse can also make one on its server, with the command <code>gatehouse sign-in-link</code> and your email.</p>
<a class="button secondary" href="/sign-in">${hasPasswords ? 'Sign in with your password' : 'Go to sign-in'}</a>`,
  });
}

/** The link stays unused, because its purpose does not apply here. */
function sendNoPasswords(res: Response, { name, email }: SignInLinkHolder): void {
  sendPage(res, {
    title: `Welcome, ${name}`,
    body: html`<p>You need no password here. Sign in as everywhere in your organization, with the account that has the email ${email}.</p>
<p>If you have no such account, the operator of this Gatehouse can make you a link that signs you in, on its server with the command <code>gatehouse sign-in-link</code>.</p>
<a class="button" href="/sign-in">Go to sign-in</a>`,
  });
}
