import { type Html, html } from '../../http/pages/html.ts';
import type { SignedInPerson } from '../../identity/signed-in-person.ts';
import { isApplicationManager } from './allow-dynamic-clients.ts';
import type { ConsentRequest } from './consent-request.ts';

/** Tells a person what to do where an application does not allow dynamic clients. */
export function notAllowedBody(
  { client, application, redirectUri }: ConsentRequest,
  person: SignedInPerson,
  formField: Html,
  action: string,
): Html {
  return html`<p><strong>${client.name}</strong> is not registered here, and <strong>${application.name}</strong> only lets applications in that are.</p>
<h2>What you can do</h2>
<ul>
<li>Enter this client id in ${client.name}, if it asks for one: <code>${application.id}</code></li>
<li>Ask whoever manages ${application.name} to add this redirect URI to it: <code>${redirectUri}</code></li>
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
