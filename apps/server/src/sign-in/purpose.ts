import { type Html, html } from '../http/pages/html.ts';

/** A client that waits for a person's decision. */
export interface AskingClient {
  readonly name: string;
  /** It gave itself the name, and nobody has verified it. */
  readonly isSelfNamed: boolean;
}

/** Says what a person signs in for. @param path where they go on, by `safeReturnTo` */
export function purposeHtml(path: string, client: AskingClient | undefined): Html {
  if (client === undefined) return html`<p>${sentenceFor(path)}</p>`;
  const who = html`<strong>${client.name}</strong> asks to work for you. Sign in to decide.`;
  return html`<p>${client.isSelfNamed && 'An application that calls itself '}${who}</p>`;
}

const SENTENCES = [
  ['/console', 'Sign in to use the console of your organization’s Gatehouse.'],
  ['/account', 'Sign in to see your account.'],
  ['/connect', 'Sign in to connect an account of yours to a tool.'],
  ['/oauth', 'An application asks to work for you. Sign in to decide.'],
] as const;

function sentenceFor(path: string): string {
  const { pathname } = new URL(path, 'http://gatehouse.invalid');
  const found = SENTENCES.find(([begin]) => `${pathname}/`.startsWith(`${begin}/`));
  return found?.[1] ?? 'Sign in to go on.';
}
