import type { Response } from 'express';
import { html } from '../../http/pages/html.ts';
import { sendPage } from '../../http/pages/send-page.ts';
import type { ExternalRefusal } from '../../identity/external/admit-external-person.ts';
import type { Failure } from './failure.ts';

interface Explanation {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

const EXPLANATIONS: Readonly<Record<ExternalRefusal | Failure | 'gone', Explanation>> = {
  email_missing: {
    status: 403,
    title: 'Your email is not known',
    text: "Your organization's sign-in did not report your email. The operator of this Gatehouse can set that up.",
  },
  email_unverified: {
    status: 403,
    title: 'Your email is not verified',
    text: "Your organization's sign-in does not say that your email is verified. Verify it there, or ask the operator of this Gatehouse.",
  },
  not_a_member: {
    status: 403,
    title: 'You are not a member yet',
    text: 'Ask an admin of this Gatehouse to invite you, with the email that you sign in with.',
  },
  removed: {
    status: 403,
    title: 'You are no longer a member',
    text: 'You were a member of this Gatehouse before. Ask an admin to invite you again.',
  },
  linked_to_another: {
    status: 403,
    title: 'Your email belongs to someone else here',
    text: 'A member with this email has signed in with another account before. Ask an admin of this Gatehouse.',
  },
  declined: {
    status: 403,
    title: 'You were not signed in',
    text: 'The sign-in of your organization ended without an answer, or was cancelled. You can try again.',
  },
  unavailable: {
    status: 503,
    title: 'Not available at the moment',
    text: 'The sign-in of your organization does not answer. Try again in a few minutes.',
  },
  untrusted: {
    status: 400,
    title: 'We could not verify that sign-in',
    text: 'The answer did not come from where the sign-in began, or was not meant for it. Begin again.',
  },
  gone: {
    status: 400,
    title: 'That sign-in is over',
    text: 'It was used already, it took too long, or it began in another browser. Begin again. Your browser must accept cookies.',
  },
};

/** Says why a person is not signed in, and what to do next. */
export function sendRefusal(res: Response, reason: keyof typeof EXPLANATIONS): void {
  const { status, title, text } = EXPLANATIONS[reason];
  sendPage(res, {
    status,
    title,
    body: html`<p>${text}</p>
<a class="button secondary" href="/sign-in">Back to sign-in</a>`,
  });
}
