import type { Request, Response } from 'express';
import { oauthFailureOf, orFailure } from '../connect-forms/oauth-failure.ts';
import {
  oauthDetails,
  oauthFormSources,
  oauthInputs,
  providerOf,
} from '../connect-forms/oauth-form.ts';
import type { ConnectLink } from '../credentials/connect/connect-links.ts';
import { planFingerprint } from '../credentials/connect/plan-connecting.ts';
import { connectionStatusOf } from '../credentials/connection-status.ts';
import { UpstreamOauthError } from '../credentials/oauth/upstream-error.ts';
import type { Integration } from '../generated/prisma/client.ts';
import { requestOf } from '../http/context.ts';
import { errorSummary } from '../http/pages/fields.ts';
import { redirectAfterForm } from '../http/pages/form-target.ts';
import { type Html, html } from '../http/pages/html.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { actorInBrowser, type SignedInPerson } from '../identity/browser-sessions.ts';
import type { ConnectPagesDeps } from './deps.ts';
import type { Connectable } from './find-connectable.ts';

const CHANGED = 'What you agreed to has changed meanwhile, so nothing was done. Look at it again.';

/** The page from which a person goes to a provider. */
export interface OauthPage {
  readonly person: SignedInPerson;
  readonly found: Connectable;
  /** The path of this page, to which its form goes. */
  readonly action: string;
  /** True if the page showed something else before. */
  readonly isChanged: boolean;
  /** The final destination of the browser, if it is not one of our pages. */
  readonly back: URL | undefined;
  /** The destinations of the other buttons. */
  readonly formActions: readonly string[];
  readonly others: readonly OtherDecision[];
  /** At the end of the page. */
  readonly onward?: Html;
}

/** What a person may choose instead of connecting. */
export interface OtherDecision {
  readonly decision: string;
  readonly label: string;
}

export function otherButtons(others: readonly OtherDecision[]): Html {
  return html`${others.map(({ decision, label }) => html`<button class="secondary" name="decision" value="${decision}" formnovalidate>${label}</button>`)}`;
}

/** @throws ProblemError `rate_limited` */
export async function sendOauthPage(
  { flow, forms, log }: ConnectPagesDeps,
  req: Request,
  res: Response,
  { person, found, action, isChanged, back, formActions, others, onward }: OauthPage,
): Promise<void> {
  const { integration } = found;
  const plan = await orFailure(flow.plan(req, person, integration));
  const form = (inputs: Html | undefined) =>
    html`<form method="post" action="${action}">
${forms.field(req, res, person)}
${inputs}
${otherButtons(others)}
</form>`;
  if (plan instanceof UpstreamOauthError) {
    log.warn({ code: plan.code, integrationId: integration.id }, 'a provider cannot be used');
    const { status, title, body } = oauthFailureOf(plan);
    return sendPage(res, {
      status,
      title,
      formActions,
      body: html`${body}
<a class="button" href="${action}">Try again</a>
${form(undefined)}`,
    });
  }
  sendPage(res, {
    status: isChanged ? 409 : 200,
    title: `Connect ${integration.name}`,
    formActions: [...oauthFormSources(plan), ...formActions],
    body: html`${errorSummary(isChanged ? CHANGED : undefined)}
${stateHtml(found)}
${oauthDetails(plan)}
${back && html`<p class="quiet">Afterwards you go to ${back.host}.</p>`}
${form(oauthInputs(plan))}
<p class="quiet">You are signed in as ${person.name} (${person.email}). The account at ${providerOf(plan).title} may have another name.</p>
${onward}`,
  });
}

/** What there is already. */
export function stateHtml({ integration, connection }: Connectable): Html {
  const { isConnected, reason } = connectionStatusOf(integration, connection);
  if (connection === undefined) return html``;
  if (!isConnected || reason !== undefined) {
    return html`<div class="notice"><p>Your connection no longer works. Connect again.</p></div>`;
  }
  const { displayName } = connection;
  return html`<div class="notice"><p>You are connected${displayName !== null && html` as <strong>${displayName}</strong>`}.</p></div>`;
}

/** A person who goes to a provider. */
export interface Leaving {
  readonly person: SignedInPerson;
  readonly integration: Integration;
  /** The path of the page. */
  readonly action: string;
  /** The fingerprint of the shown page, as sent by the form. */
  readonly asked: string | undefined;
  readonly returnTo: string | null;
  readonly link?: ConnectLink;
}

/**
 * Goes to the provider, if the page is still current.
 *
 * @returns false, with nothing answered, when it is not
 */
export async function leaveForProvider(
  { flow, log }: ConnectPagesDeps,
  req: Request,
  res: Response,
  { person, integration, action, asked, returnTo, link }: Leaving,
): Promise<boolean> {
  const left = await orFailure(leave());
  if (left === undefined) return false;
  if (left instanceof URL) {
    redirectAfterForm(res, left, 'To the provider');
    return true;
  }
  log.warn({ code: left.code, integrationId: integration.id }, 'a provider cannot be used');
  const { body, ...page } = oauthFailureOf(left);
  const again = html`<a class="button" href="${action}">Try again</a>`;
  sendPage(res, { ...page, body: html`${body}${again}` });
  return true;

  async function leave(): Promise<URL | undefined> {
    const plan = await flow.plan(req, person, integration);
    if (planFingerprint(plan) !== asked) return undefined;
    const actor = actorInBrowser(person, requestOf(res));
    return flow.begin(req, res, { plan, actor, returnTo, link });
  }
}
