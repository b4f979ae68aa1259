import { type Request, type RequestHandler, type Response, Router } from 'express';
import { addressBlockOf } from '../http/client-address.ts';
import { requestOf } from '../http/context.ts';
import { errorSummary, fieldHtml } from '../http/pages/fields.ts';
import { type Html, html } from '../http/pages/html.ts';
import { safeReturnTo } from '../http/pages/return-to.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { checkPassword } from './check-password.ts';
import { requirePasswords, type SignInDeps } from './deps.ts';
import { enter } from './enter.ts';
import { EXTERNAL_PATH } from './external/external-page.ts';
import { purposeHtml } from './purpose.ts';

/** `GET|POST /sign-in`: by email and password. */
export function passwordPage(deps: SignInDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/sign-in', show(deps));
  router.post('/sign-in', signIn(deps));
  return router;
}

function show(deps: SignInDeps): RequestHandler {
  const { sessions } = deps;
  return async (req, res) => {
    const returnTo = safeReturnTo(req.query.return_to);
    if (await sessions.find(req.headers.cookie)) return res.redirect(303, returnTo);
    await sendSignIn(deps, req, res, { returnTo });
  };
}

function signIn(deps: SignInDeps): RequestHandler {
  const { forms } = deps;
  return async (req, res) => {
    // Bound only to the browser: a person may have signed in in another window.
    const fields = await forms.read(req, undefined);
    requirePasswords(deps);
    const returnTo = safeReturnTo(fields.get('return_to'));
    const email = fields.get('email') ?? '';
    const person = await checkPassword(deps, req, {
      email,
      password: fields.get('password') ?? '',
      request: requestOf(res),
    });
    if (person === undefined) {
      deps.countSignIn('password', 'refused');
      return sendSignIn(deps, req, res, { returnTo, refusedEmail: email });
    }
    const { id: userId, passwordHash } = person;
    await enter(deps, req, res, { userId, way: 'password', passwordHash, returnTo });
    deps.countSignIn('password', 'signed_in');
  };
}

interface SignInForm {
  readonly returnTo: string;
  /** The email that was entered, if email or password was wrong. */
  readonly refusedEmail?: string;
}

async function sendSignIn(
  { hasPasswords, providerHost, forms, findAskingClient }: SignInDeps,
  req: Request,
  res: Response,
  form: SignInForm,
): Promise<void> {
  const client = await findAskingClient(form.returnTo, addressBlockOf(req.ip ?? ''));
  const isSecond = providerHost !== undefined;
  sendPage(res, {
    status: form.refusedEmail === undefined ? 200 : 403,
    title: 'Sign in',
    body: html`${purposeHtml(form.returnTo, client)}
${providerHost !== undefined && providerHtml(providerHost, form)}
${hasPasswords && isSecond && html`<h2>Or by password</h2>`}
${hasPasswords && passwordHtml(form, forms.field(req, res, undefined), isSecond)}`,
  });
}

function providerHtml(host: string, { returnTo }: SignInForm): Html {
  return html`<p class="quiet">Sign in as everywhere in your organization, at ${host}.</p>
<a class="button" href="${EXTERNAL_PATH}?return_to=${encodeURIComponent(returnTo)}">Continue to ${host}</a>`;
}

/** @param isSecond another way to sign in stands above */
function passwordHtml(
  { returnTo, refusedEmail }: SignInForm,
  formField: Html,
  isSecond: boolean,
): Html {
  const isRefused = refusedEmail !== undefined;
  return html`<p class="quiet">Use the email and password of your organization’s Gatehouse.</p>
${errorSummary(isRefused ? 'Email or password is not right. Check both and try again.' : undefined)}
<form method="post" action="/sign-in"${isRefused && html` aria-describedby="error-summary"`}>
${formField}
<input type="hidden" name="return_to" value="${returnTo}">
${fieldHtml({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: refusedEmail, isFocused: !isRefused })}
${fieldHtml({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isFocused: isRefused })}
<button type="submit"${isSecond && html` class="secondary"`}>Sign in</button>
</form>
<h2>No password, or forgotten?</h2>
<p class="quiet">An admin of your organization can make you a link with which you choose a new one.</p>`;
}
