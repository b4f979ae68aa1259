import { UpstreamOauthError } from '../credentials/oauth/upstream-error.ts';
import { type Html, html } from '../http/pages/html.ts';

/** How a page says that a provider cannot be used now, or did not do what was wanted. */
export interface OauthFailure {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
}

/** Never what the provider itself says, which anybody could put into a callback. */
export function oauthFailureOf({ code, outcome, message }: UpstreamOauthError): OauthFailure {
  if (code === 'access_denied') {
    return {
      status: 403,
      title: 'Access was not given',
      body: html`<p>At the provider you did not allow it, or it was cancelled. Nothing was connected.</p>`,
    };
  }
  switch (outcome) {
    case 'transient':
      return {
        status: 503,
        title: 'Not available at the moment',
        body: html`<p>The provider does not answer as it should. Try again in a few minutes.</p>`,
      };
    case 'needs_user':
      return {
        status: 400,
        title: 'That cannot be trusted',
        body: html`<p>What came back does not belong to what was begun here, or is no longer valid. Nothing was connected.</p>`,
      };
    case 'misconfigured':
      return {
        status: 502,
        title: 'This is not set up completely',
        body: html`<p>Connecting does not work until an admin of this Gatehouse has changed something. Tell them:</p>
<p class="quiet">${message}</p>`,
      };
  }
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
