import type { Response } from 'express';
import { type Failed, oauthFailureOf } from '../connect-forms/oauth-failure.ts';
import { html } from '../http/pages/html.ts';
import { sendPage } from '../http/pages/send-page.ts';
import type { Mac } from '../vault/mac.ts';
import { type ConnectRefusal, type NextStep, sendConnectRefusal } from './refusal-page.ts';

/** Without an ending: the attempt is over. */
export const OVER_PATH = '/connect?ended=';

/** How an attempt ended without a connection. */
export interface Ending {
  /** What we refused, or what failed at the provider. */
  readonly reason: ConnectRefusal | Failed;
  readonly next?: NextStep;
}

/**
 * Endings in the address of the last page, which the page at the callback leads to: its own address has the provider's
 * code. They are signed for the person, since a page repeats what they say.
 */
export interface Endings {
  pathOf(userId: string, ending: Ending): string;
  /** @returns undefined for one that is altered, or of another person */
  read(userId: string, text: unknown): Ending | undefined;
}

/** The id of the key, the ending, and its tag; the last two in Base64url. */
const FORM = /^(.+)\.([\w-]+)\.([\w-]+)$/;

/** @param mac for the purpose `form` */
export function createEndings(mac: Mac): Endings {
  const signedText = (userId: string, ending: string) => `ending ${userId} ${ending}`;
  return {
    pathOf(userId, ending) {
      const text = JSON.stringify({ ...ending, reason: tellable(ending.reason) });
      const { keyId, tag } = mac.sign(signedText(userId, text));
      const signed = `${keyId}.${Buffer.from(text).toString('base64url')}.${tag.toString('base64url')}`;
      return OVER_PATH + encodeURIComponent(signed);
    },
    read(userId, text) {
      const [, keyId, encoded, tag] = FORM.exec(typeof text === 'string' ? text : '') ?? [];
      if (keyId === undefined || encoded === undefined || tag === undefined) return undefined;
      const ending = Buffer.from(encoded, 'base64url').toString();
      const isOurs = mac.verify(keyId, signedText(userId, ending), Buffer.from(tag, 'base64url'));
      return isOurs ? (JSON.parse(ending) as Ending) : undefined;
    },
  };
}

/** Without what is for the log alone. */
function tellable(reason: Ending['reason']): Ending['reason'] {
  if (typeof reason === 'string') return reason;
  const { code, outcome, message, provider } = reason;
  return { code, outcome, message, provider: { error: provider.error } };
}

/** Says how an attempt ended, and where to go next. */
export function sendEnding(res: Response, { reason, next }: Ending): void {
  if (typeof reason === 'string') sendConnectRefusal(res, reason, next);
  else sendFailure(res, reason, next);
}

function sendFailure(res: Response, failed: Failed, next: NextStep | undefined): void {
  const { body, ...page } = oauthFailureOf(failed);
  const link = next && html`<a class="button" href="${next.href}">${next.label}</a>`;
  sendPage(res, { ...page, body: html`${body}${link}` });
}
