import { tokenDestination } from '@gatehouse/contract';
import { type ConnectPlan, planFingerprint } from '../credentials/connect/plan-connecting.ts';
import type { Integration } from '../generated/prisma/client.ts';
import { formSourceOf } from '../http/pages/form-target.ts';
import { type Html, html } from '../http/pages/html.ts';

/** Scopes that mean the same everywhere (OpenID Connect Core 1.0 sections 5.4 and 11). */
const MEANINGS: Readonly<Record<string, string>> = {
  openid: 'Know which account is yours',
  profile: 'See your name and picture',
  email: 'See your email address',
  offline_access: 'Stay connected until you disconnect',
};

/** The provider in the words of a person: its name, and the host to which the browser goes. */
export function providerOf({ upstream, server }: ConnectPlan): { title: string; host: string } {
  const { host } = new URL(server.authorizationEndpoint);
  return { title: upstream.preset?.title ?? host, host };
}

/** Says which provider, which permissions, and what they are used for. */
export function oauthDetails(plan: ConnectPlan): Html {
  const { title, host } = providerOf(plan);
  return html`<p>You go on to <strong>${title === host ? host : html`${title} (${host})`}</strong>, sign in there, and decide whether Gatehouse may use your account.</p>
${scopesHtml(plan.scopes)}
<p class="quiet">${whatHappens(plan.integration)}</p>`;
}

/** The fields and the button of the form that leads there. The page needs {@link oauthFormSources}. */
export function oauthInputs(plan: ConnectPlan): Html {
  return html`<input type="hidden" name="asked" value="${planFingerprint(plan)}">
<button name="decision" value="connect">Continue to ${providerOf(plan).title}</button>`;
}

/** The sources that the page's `form-action` must allow. */
export function oauthFormSources({ server }: ConnectPlan): readonly string[] {
  const source = formSourceOf(new URL(server.authorizationEndpoint));
  return source === undefined ? [] : [source];
}

function scopesHtml(scopes: readonly string[]): Html {
  if (scopes.length === 0) {
    return html`<p>Gatehouse asks for no particular permission. You see there what it gets.</p>`;
  }
  return html`<p>Gatehouse asks for these permissions:</p>
<ul>
${scopes.map((scope) => html`<li>${MEANINGS[scope] ?? html`<code>${scope}</code>`}</li>`)}
</ul>`;
}

function whatHappens({ category, name, url }: Integration): string {
  const { host } = new URL(tokenDestination(url));
  const kept = 'Gatehouse stores this access encrypted and renews it while you stay connected.';
  return category === 'gateway_remote_mcp'
    ? `${kept} It is sent to ${host} only, when an application that you have allowed uses ${name} for you. Applications never see it. You can disconnect at any time.`
    : `${kept} It is for ${host}. It is handed out to applications that you allow to receive it, which then use it without Gatehouse. You can disconnect at any time.`;
}
