import type { Request, Response } from 'express';
import { createCookie } from '../../identity/cookies.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { newSecret } from '../../platform/secrets.ts';
import type { Mac } from '../../vault/mac.ts';
import { ownOriginsOf } from '../host-and-origin.ts';
import { type BodyRefusals, readBytes } from '../read-bytes.ts';
import { type Html, html } from './html.ts';

const TOKEN = 'form_token';

/** Seconds that a browser which is not signed in keeps the cookie that its forms are bound to. */
const VISIT = 24 * 60 * 60;

/** The owner of the form: a signed-in person, or just a browser. */
export type FormOwner = { readonly sessionId: string } | undefined;

/** Forms that only the page of this service, in the browser that it was sent to, can send. */
export interface Forms {
  /**
   * The hidden field that every form needs. It is bound to the browser session or, before sign-in, to a
   * cookie that this sets, which also prevents signing a person in as someone else ("login CSRF").
   */
  field(req: Request, res: Response, owner: FormOwner): Html;
  /**
   * Reads the POST of such a form.
   *
   * @param owner who is signed in now
   * @throws ProblemError `origin_not_allowed`, `forbidden` (another browser, or another sign-in),
   *   `unsupported_media_type`, `payload_too_large`, `validation_failed`
   */
  read(req: Request, owner: FormOwner): Promise<FormFields>;
}

/** @param mac for the purpose `form` */
export function createForms(mac: Mac, publicUrl: string): Forms {
  const visit = createCookie('gatehouse-visit', publicUrl);
  const ownOrigins = ownOriginsOf(publicUrl);
  return {
    field(req, res, owner) {
      const visitor = owner === undefined ? visitorOf(req, res) : '';
      const { keyId, tag } = mac.sign(signedText(owner, visitor));
      const token = `${keyId}.${tag.toString('base64url')}`;
      return html`<input type="hidden" name="${TOKEN}" value="${token}">`;
    },
    async read(req, owner) {
      checkOrigin(req, ownOrigins);
      const fields = await readForm(req);
      const token = fields.get(TOKEN) ?? '';
      const visitor = visit.read(req.headers.cookie);
      if (owner === undefined && visitor === undefined) throw foreignForm();
      const end = token.lastIndexOf('.');
      const tag = Buffer.from(token.slice(end + 1), 'base64url');
      if (!mac.verify(token.slice(0, end), signedText(owner, visitor ?? ''), tag)) {
        throw foreignForm();
      }
      return fields;
    },
  };

  function visitorOf(req: Request, res: Response): string {
    const known = visit.read(req.headers.cookie);
    if (known !== undefined) return known;
    const value = newSecret();
    res.append('Set-Cookie', visit.set(value, VISIT));
    return value;
  }
}

function signedText(owner: FormOwner, visitor: string): string {
  return owner === undefined ? `visitor ${visitor}` : `session ${owner.sessionId}`;
}

/** Browsers send `Origin` with every POST; only older ones leave it out within a site. */
function checkOrigin(req: Request, ownOrigins: ReadonlySet<string>): void {
  const { origin, 'sec-fetch-site': site } = req.headers;
  const isOwn = origin === undefined ? site === 'same-origin' : ownOrigins.has(origin);
  if (isOwn) return;
  throw new ProblemError(
    'origin_not_allowed',
    'The form was not sent from a page of this Gatehouse. Open the page here and try again.',
  );
}

function foreignForm(): ProblemError {
  return new ProblemError(
    'forbidden',
    'The page was open for too long, or you have signed in or out since. Load it again, and try once more. Your browser must accept cookies.',
  );
}

/** A credential has up to 8,192 characters, and a form sends many of them as three bytes. */
const MAX_BYTES = 64 * 1024;

const refusals: BodyRefusals = {
  tooLarge: 'The form has too much in it.',
  compressed: 'Send the form without compression.',
  incomplete: malformed,
};

/** The fields of a form, each once. */
export type FormFields = ReadonlyMap<string, string>;

/**
 * Reads the body of a form's POST.
 *
 * @throws ProblemError `unsupported_media_type`, `payload_too_large`, `validation_failed`
 */
async function readForm(req: Request): Promise<FormFields> {
  const type = req.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded *(; *charset="?utf-8"? *)?$/i.test(type)) {
    throw new ProblemError('unsupported_media_type', 'Send the form as a browser does.');
  }
  return parse(await readBytes(req, MAX_BYTES, refusals));
}

function parse(bytes: Buffer): FormFields {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(bytes.toString())) {
    if (fields.has(name)) throw malformed();
    fields.set(name, value);
  }
  return fields;
}

function malformed(): ProblemError {
  return new ProblemError('validation_failed', 'The form did not arrive as it was sent.');
}
