import {
  UpstreamOauthError,
  type UpstreamOauthOutcome,
} from '../credentials/oauth/upstream-error.ts';
import { type Html, html } from '../http/pages/html.ts';

/** A failure at a provider, in words for a page. */
export interface OauthFailure {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
}

type Page = Omit<OauthFailure, 'body'> & { readonly text: string };

const DENIED: Page = {
  status: 403,
  title: 'Access was not given',
  text: 'Nothing was connected.',
};

const PAGES: Readonly<Record<UpstreamOauthOutcome, Page>> = {
  transient: {
    status: 503,
    title: 'Not available at the moment',
    text: 'The provider cannot be used now.',
  },
  needs_user: {
    status: 400,
    title: 'The response of the provider was not accepted',
    text: 'Nothing was connected.',
  },
  misconfigured: {
    status: 502,
    title: 'Setup is not finished',
    text: 'Connecting does not work until an admin of this Gatehouse has changed something. Tell them:',
  },
};

/** What a page tells of a failure. */
export type Failed = Pick<UpstreamOauthError, 'code' | 'outcome' | 'message'> & {
  readonly provider: Pick<UpstreamOauthError['provider'], 'error'>;
};

/** Quotes nothing of the provider but a code: anyone could put text into a callback. */
export function oauthFailureOf({ code, outcome, message, provider }: Failed): OauthFailure {
  const { text, ...page } = code === 'access_denied' ? DENIED : PAGES[outcome];
  return {
    ...page,
    body: html`<p>${text}</p>
<p class="quiet">${message}</p>
${provider.error && html`<p class="quiet">The provider's error: <code>${provider.error}</code></p>`}`,
  };
}

/** Runs a step at a provider. @returns its failure, if it is one that a page can tell */
export async function orFailure<Value>(step: Promise<Value>): Promise<Value | UpstreamOauthError> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof UpstreamOauthError) return error;
    throw error;
  }
}
