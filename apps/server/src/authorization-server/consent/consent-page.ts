import type { AuthMode } from '../../generated/prisma/enums.ts';
import { type Html, html } from '../../http/pages/html.ts';
import type { SignedInPerson } from '../../identity/browser-sessions.ts';
import { isApplicationManager } from './allow-dynamic-clients.ts';
import {
  type ConsentRequest,
  type RedirectTarget,
  type RequestedIntegration,
  redirectTargetOf,
} from './consent-request.ts';

/**
 * The powers that each scope gives an application, in words for people. The scope `mcp` is the list of
 * integrations.
 */
const MEANINGS: Readonly<Record<string, string>> = {
  'management:read': 'See the settings of this Gatehouse that you can see',
  'management:write': 'Change the settings of this Gatehouse that you can change',
  credentials: 'Receive the access keys to integrations that it calls itself',
};

const WITH: Readonly<Record<AuthMode, string>> = {
  none: 'no account needed',
  server_token: 'with the account of your organization',
  user_token: 'with your own account',
  oauth: 'with your own account',
};

/** Asks a person whether an application may act for them. @param formField the hidden field of `Forms` */
export function consentBody(
  request: ConsentRequest,
  person: SignedInPerson,
  formField: Html,
  action: string,
): Html {
  const { client, organizationName, redirectUri } = request;
  return html`<p><strong>${client.name}</strong> asks to work for you at ${organizationName}. You are signed in as ${person.name} (${person.email}).</p>
${client.application === undefined && unverified(request)}
${integrationsHtml(request.integrations)}
${scopesHtml(request.scopes)}
<p>${goesTo(redirectTargetOf(redirectUri))} You can take this back at any time on <a href="/account">your account page</a>.</p>
<form method="post" action="${action}">
${formField}
<button class="button" name="decision" value="allow">Allow</button>
<button class="button secondary" name="decision" value="deny">Do not allow</button>
</form>`;
}

/** Every application that was not entered here is like this: only a reason to doubt it makes an alert. */
function unverified({ application, client, redirectUri }: ConsentRequest): Html {
  const isDescribed = client.clientId.startsWith('https:');
  const leadsElsewhere =
    isDescribed && isOnOtherSite(client.clientId, redirectTargetOf(redirectUri));
  return html`<div class="${leadsElsewhere ? 'alert' : 'notice'}"><p>It chose this name itself, and nobody has verified it.${isDescribed && ` It is described at ${client.clientId}.`} It would use the integrations of <strong>${application.name}</strong>.</p>
${leadsElsewhere && html`<p>Its answer goes to another website than the one that describes it. Allow it only if you know both.</p>`}</div>`;
}

function isOnOtherSite(clientId: string, { kind, host }: RedirectTarget): boolean {
  return kind === 'website' && new URL(clientId).host !== host;
}

function integrationsHtml(integrations: readonly RequestedIntegration[]): Html {
  if (integrations.length === 0) return html``;
  return html`<h2>It could use these tools in your name</h2>
<ul>
${integrations.map(({ name, authMode }) => html`<li>${name} <span class="quiet">– ${WITH[authMode]}</span></li>`)}
</ul>`;
}

function scopesHtml(scopes: readonly string[]): Html {
  const shown = scopes.filter((scope) => scope !== 'mcp');
  if (shown.length === 0) return html``;
  return html`<h2>It could also</h2>
<ul>
${shown.map((scope) => html`<li>${MEANINGS[scope] ?? html`Do something that it calls <code>${scope}</code>. Gatehouse grants nothing for that.`}</li>`)}
</ul>`;
}

function goesTo({ kind, host }: RedirectTarget): Html {
  switch (kind) {
    case 'website':
      return html`If you allow it, you go on to <strong>${host}</strong>.`;
    case 'this_computer':
      return html`If you allow it, you go back to a program on <strong>this computer</strong> (${host}). Only allow it if you have just started the sign-in there.`;
    case 'installed_app':
      return html`If you allow it, you go back to the app that opens <strong>${host}</strong> links. Only allow it if you have just started the sign-in there.`;
  }
}

/** Tells a person what to do where an application does not allow dynamic clients. */
export function notAllowedBody(
  { client, application, redirectUri }: ConsentRequest,
  person: SignedInPerson,
  formField: Html,
  action: string,
): Html {
  return html`<p><strong>${client.name}</strong> is not registered here, and <strong>${application.name}</strong> only lets in registered applications.</p>
<h2>What you can do</h2>
<ul>
<li>Enter this client id in ${client.name}, if it asks for one: <code>${application.id}</code></li>
<li>Ask the person who manages ${application.name} to add this redirect URI: <code>${redirectUri}</code></li>
</ul>
${isApplicationManager(person, application) && managerHtml(application.name, formField, action)}`;
}

function managerHtml(name: string, formField: Html, action: string): Html {
  return html`<form method="post" action="${action}">
<p>You manage ${name}. You can let in every application that a member of your organization agrees to. Members see that nobody has verified it.</p>
${formField}
<button class="button secondary" name="decision" value="allow_dynamic_clients">Let unregistered applications in</button>
</form>`;
}
