import type { Situation } from './situation.ts';

export const TOOL_NAME = 'connect_account';

const CAUSES: Record<Situation['reason'], (name: string) => string> = {
  connection_required: (name) => `No account of yours is connected to “${name}” yet.`,
  needs_reauth: (name) =>
    `Your account must be connected to “${name}” again: your access has ended, or the integration has changed.`,
  expired: (name) => `Your access to “${name}” has expired.`,
  consent_required: (name) =>
    `“${name}” was attached to the application after you agreed to it, so your account there is not used yet.`,
};

/** The only tool: what is wrong, and what calling it does. */
export function connectTool(situation: Situation): object {
  return {
    name: TOOL_NAME,
    title: `Connect ${situation.name}`,
    description: descriptionOf(situation),
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** For the model: of the tool, and of the server. */
export function descriptionOf({ reason, name, connectUrl }: Situation): string {
  const outcome =
    connectUrl === undefined
      ? `The tool ${TOOL_NAME} says what to do. The tools of “${name}” appear once you have agreed to it.`
      : `The tool ${TOOL_NAME} returns a link: open it in a browser, sign in, and follow the page. The tools of “${name}” appear once you have connected.`;
  return `${CAUSES[reason](name)} ${outcome}`;
}

/** What calling the tool returns: for the person, to whom the client shows it. */
export function instruction({ reason, name, connectUrl, error }: Situation): string {
  if (connectUrl === undefined) return error.message;
  return `${CAUSES[reason](name)} Open this link in a browser, sign in, and follow the page: ${connectUrl}\nThen ask again.`;
}

/** Shown by a client that opens the link itself. */
export function invitation({ reason, name }: Situation): string {
  return `${CAUSES[reason](name)} Sign in to connect your account.`;
}

/** What the call returns once the person has connected. */
export function confirmation(name: string): string {
  return `Your account is connected to “${name}” now. Its own tools have taken the place of ${TOOL_NAME}: list the tools again.`;
}
