import { clauseOf, credentialFailures } from '@gatehouse/contract';
import { callFailures } from '../../credentials/failures.ts';
import type { ConnectAdvice } from './connect-advice.ts';

/** How the connect server names itself. @param version of the service */
export function serverInfo(version: string): object {
  return { name: 'gatehouse-connect', title: 'Gatehouse', version };
}

export const CAPABILITIES = { tools: { listChanged: true } };

export const TOOL_NAME = 'connect_account';

function causeOf({ reason, name }: Pick<ConnectAdvice, 'reason' | 'name'>): string {
  const { sentence } = { ...credentialFailures, ...callFailures }[reason];
  return `“${name}” cannot be used: ${clauseOf(sentence)}.`;
}

/** The only tool: what is wrong, and what calling it does. */
export function connectTool(advice: ConnectAdvice): object {
  return {
    name: TOOL_NAME,
    title: `Connect ${advice.name}`,
    description: descriptionOf(advice),
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** For the model: of the tool, and of the server. */
export function descriptionOf({ reason, name }: ConnectAdvice): string {
  const once = reason === 'consent_required' ? 'agreed' : 'connected';
  return `${causeOf({ reason, name })} The tool ${TOOL_NAME} returns a link: open it in a browser, sign in, and follow the page. The tools of “${name}” appear once you have ${once}.`;
}

/** What calling the tool returns, for the client to show to the person. */
export function instruction({ reason, name, connectUrl }: ConnectAdvice): string {
  return `${causeOf({ reason, name })} Open this link in a browser, sign in, and follow the page: ${connectUrl}\nThen ask again.`;
}

/** Shown by a client that opens the link itself. */
export function invitation({ reason, name }: ConnectAdvice): string {
  const what = reason === 'consent_required' ? 'agree to it' : 'connect your account';
  return `${causeOf({ reason, name })} Sign in to ${what}.`;
}

/** What the call returns once the person has connected. */
export function confirmation(name: string): string {
  return `Your account is connected to “${name}” now. Its own tools have taken the place of ${TOOL_NAME}: list the tools again.`;
}
