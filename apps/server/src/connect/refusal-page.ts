import { credentialFailures } from '@gatehouse/contract';
import type { Response } from 'express';
import { html } from '../http/pages/html.ts';
import { sendPage } from '../http/pages/send-page.ts';

interface Explanation {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

const EXPLANATIONS = {
  link_over: {
    status: 404,
    title: 'This link does not work any more',
    text: 'It was used already, or it is older than 10 minutes. Go back to your application and begin again there.',
  },
  link_of_another: {
    status: 403,
    title: 'This link is for another member',
    text: 'Links to connect an account work only for the member for whom they were made. Nothing has happened. Sign in as that member, or get your own link from your application.',
  },
  archived: {
    status: 409,
    title: 'This integration is archived',
    text: 'You cannot connect to it now. An admin of this Gatehouse can restore it.',
  },
  nothing_to_connect: {
    status: 200,
    title: 'Nothing needs to be connected',
    text: 'This integration works without an account of your own.',
  },
  not_configured: {
    status: 409,
    title: 'Setup is not finished',
    text: `${credentialFailures.oauth_not_configured.sentence} An admin of this Gatehouse can set one.`,
  },
  cancelled: {
    status: 200,
    title: 'Nothing was connected',
    text: 'You can close this window, or go back to your application.',
  },
  not_agreed: {
    status: 200,
    title: 'Nothing has changed',
    text: 'The application may not use this integration with your account. You can close this window, or go back to your application.',
  },
  grant_over: {
    status: 404,
    title: 'There is nothing to agree to',
    text: 'What you had allowed has ended, the integration is no longer there for the application, or the link is for another member. Go back to your application and connect again.',
  },
  disconnected: {
    status: 200,
    title: 'Disconnected',
    text: 'Gatehouse has deleted what it had stored. Access that the provider gave is being revoked there too.',
  },
  attempt_over: {
    status: 400,
    title: 'That attempt is over',
    text: 'It was already used, it took longer than 10 minutes, it began in another browser, or someone else was signed in. Begin again. Your browser must accept cookies.',
  },
  changed: {
    status: 409,
    title: 'The integration has changed meanwhile',
    text: 'An admin has changed it since you left for the provider. So nothing was stored. Look at it again.',
  },
  client_gone: {
    status: 502,
    title: 'The provider does not know Gatehouse any more',
    text: 'Gatehouse has registered there again, and that did not help. Try again in a few minutes, or tell an admin of this Gatehouse.',
  },
} as const satisfies Record<string, Explanation>;

export type ConnectRefusal = keyof typeof EXPLANATIONS;

/** The next steps on a page that says why nothing was done. */
export interface NextStep {
  readonly label: string;
  /** A path of ours, or a URL under an allowed origin. */
  readonly href: string;
}

const TO_LIST: NextStep = { label: 'Your connections', href: '/connect' };

/** Says what happened, and where to go next. */
export function sendConnectRefusal(
  res: Response,
  refusal: ConnectRefusal,
  next: NextStep = TO_LIST,
): void {
  const { status, title, text } = EXPLANATIONS[refusal];
  sendPage(res, {
    status,
    title,
    body: html`<p>${text}</p>
<a class="button secondary" href="${next.href}">${next.label}</a>`,
  });
}
