import { noteSecret } from './logs.ts';
import { addMember, createRoute, randomSecret, type TestMember, type TestRoute } from './routes.ts';
import type { TwoNodes } from './two-nodes.ts';

/** A member, an integration in use and what is needed to use it: a change is made to one of them. */
export interface Subject {
  readonly member: TestMember;
  readonly route: TestRoute;
  /** Of the member's client: protocol version, and the session it opened at the second node, if any. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer of the gateway. */
export interface GatewayAnswer {
  readonly status: number;
  /** The problem's code, or that of a JSON-RPC error. */
  readonly code: string | number | undefined;
  /** The `Authorization` that an upstream got, and which upstream; undefined if neither got one. */
  readonly reached:
    | { readonly authorization: string | undefined; readonly port: string }
    | undefined;
}

/** Something that one node does and the other has to hold. */
export interface Change {
  readonly authMode: 'none' | 'server_token' | 'user_token';
  /** Made to the user of a client of 2026-07-28; otherwise to one with a session of 2025-11-25. */
  readonly isModern?: boolean;
  /** Made to an application that acts for itself, with an OAuth token. */
  readonly isOwn?: boolean;
  /** Whether it ends the session, and so cuts open streams. */
  readonly endsSession: boolean;
  apply(nodes: TwoNodes, subject: Subject): Promise<unknown>;
  /** Whether the gateway's answer is one after the change; anything but the old or the new is an error. */
  isHeld(answer: GatewayAnswer, nodes: TwoNodes): boolean;
}

const NEW_SERVER_TOKEN = randomSecret();

const refusedWith =
  (code: string | number) =>
  (answer: GatewayAnswer): boolean =>
    answer.code === code;

function remove(path: (subject: Subject) => string): Change['apply'] {
  return ({ api }, subject) => api.first.expect(204, 'DELETE', path(subject));
}

const deleteConnection: Change['apply'] = ({ api }, { route, member }) =>
  api.first.expect(204, 'DELETE', `/integrations/${route.integrationId}/connection`, {
    token: member.token,
  });

const revokeSession: Change['apply'] = async ({ api }, { route }) => {
  const path = `/applications/${route.applicationId}/sessions`;
  const { body } = await api.first.expect(200, 'GET', path);
  await api.first.expect(204, 'DELETE', `${path}/${body.items[0].id}`);
};

/** By name, for the titles of tests. */
export const changes: Readonly<Record<string, Change>> = {
  'revoking the token': {
    authMode: 'none',
    endsSession: true,
    apply: remove(({ member }) => `/tokens/${member.tokenId}`),
    isHeld: refusedWith('unauthenticated'),
  },
  'removing the member': {
    authMode: 'none',
    endsSession: true,
    apply: ({ api }, { member }) => api.first.expect(200, 'DELETE', `/members/${member.id}`),
    isHeld: refusedWith('unauthenticated'),
  },
  "revoking the member's access": {
    authMode: 'none',
    endsSession: true,
    apply: ({ api }, { member }) =>
      api.first.expect(200, 'POST', `/members/${member.id}/revoke-access`),
    isHeld: refusedWith('unauthenticated'),
  },
  "revoking the application's access": {
    authMode: 'none',
    endsSession: true,
    apply: ({ api }, { route }) =>
      api.first.expect(200, 'POST', `/applications/${route.applicationId}/revoke-access`),
    isHeld: refusedWith('session_not_found'),
  },
  "revoking the access of an application's own token": {
    authMode: 'none',
    isOwn: true,
    endsSession: true,
    apply: ({ api }, { route }) =>
      api.first.expect(200, 'POST', `/applications/${route.applicationId}/revoke-access`),
    isHeld: refusedWith('unauthenticated'),
  },
  "archiving the application of an application's own token": {
    authMode: 'none',
    isOwn: true,
    endsSession: true,
    apply: remove(({ route }) => `/applications/${route.applicationId}`),
    isHeld: refusedWith('unauthenticated'),
  },
  'detaching the integration': {
    authMode: 'none',
    endsSession: true,
    apply: remove(
      ({ route }) => `/applications/${route.applicationId}/integrations/${route.integrationId}`,
    ),
    isHeld: refusedWith('not_found'),
  },
  'archiving the application': {
    authMode: 'none',
    endsSession: true,
    apply: remove(({ route }) => `/applications/${route.applicationId}`),
    isHeld: refusedWith('not_found'),
  },
  'archiving the integration': {
    authMode: 'none',
    endsSession: true,
    apply: remove(({ route }) => `/integrations/${route.integrationId}`),
    isHeld: refusedWith('not_found'),
  },
  'revoking the session': {
    authMode: 'none',
    endsSession: true,
    apply: revokeSession,
    isHeld: refusedWith('session_not_found'),
  },
  'revoking the session of a client without sessions': {
    authMode: 'none',
    isModern: true,
    endsSession: true,
    apply: revokeSession,
    isHeld: refusedWith('forbidden'),
  },
  'changing the url': {
    authMode: 'none',
    endsSession: true,
    apply: ({ api, otherUpstream }, { route }) =>
      api.first.expect(200, 'PATCH', `/integrations/${route.integrationId}`, {
        body: { url: otherUpstream.url },
      }),
    // The session was opened with the other server, so it is over.
    isHeld: ({ code, reached }, { otherUpstream }) =>
      code === 'session_not_found' || reached?.port === new URL(otherUpstream.url).port,
  },
  'replacing the server token': {
    authMode: 'server_token',
    endsSession: false,
    apply: ({ api }, { route }) =>
      api.first.expect(200, 'PATCH', `/integrations/${route.integrationId}`, {
        body: { serverToken: NEW_SERVER_TOKEN },
      }),
    isHeld: ({ reached }) => reached?.authorization === `Bearer ${NEW_SERVER_TOKEN}`,
  },
  'deleting the connection': {
    authMode: 'user_token',
    endsSession: true,
    apply: deleteConnection,
    isHeld: refusedWith('session_not_found'),
  },
  'deleting the connection of a client without sessions': {
    authMode: 'user_token',
    isModern: true,
    endsSession: true,
    apply: deleteConnection,
    isHeld: refusedWith(-31001),
  },
};

/** Creates all that a change needs, and opens a session at the second node. */
export async function createSubject(
  nodes: TwoNodes,
  { authMode, isModern = false, isOwn = false }: Pick<Change, 'authMode' | 'isModern' | 'isOwn'>,
): Promise<Subject> {
  const { api, upstream } = nodes;
  const { token, ...member } = await addMember(api.first);
  const route = await createRoute(api.first, {
    url: upstream.url,
    authMode,
    ...(authMode === 'server_token' && { serverToken: randomSecret() }),
  });
  if (authMode === 'user_token') {
    await api.first.expect(200, 'POST', `/integrations/${route.integrationId}/connection`, {
      token,
      body: { token: randomSecret() },
    });
  }
  const caller = { ...member, token: isOwn ? await ownToken(nodes, route) : token };
  const subject = { member: caller, route };
  if (isModern) return { ...subject, headers: { 'mcp-protocol-version': '2026-07-28' } };
  const opened = await post(nodes, { ...subject, headers: {} }, 'initialize');
  const sessionId = opened.headers.get('mcp-session-id');
  if (!opened.ok || sessionId === null) throw new Error(`No session: ${await opened.text()}`);
  await opened.body?.cancel();
  const headers = { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': sessionId };
  return { ...subject, headers };
}

/** A token that the application of a route got for itself at the first node, by client credentials. */
async function ownToken({ api, first }: TwoNodes, { applicationId }: TestRoute): Promise<string> {
  const path = `/applications/${applicationId}`;
  await api.first.expect(200, 'PATCH', `${path}/oauth`, { body: { type: 'confidential' } });
  const { body } = await api.first.expect(200, 'POST', `${path}/rotate-secret`);
  const response = await fetch(`${first.origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: applicationId,
      client_secret: body.oauth.clientSecret,
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  noteSecret('a client secret', body.oauth.clientSecret);
  noteSecret('an OAuth token', token);
  return token;
}

/** One call at the second node. */
export async function callGateway(nodes: TwoNodes, subject: Subject): Promise<GatewayAnswer> {
  const method = `marked-${crypto.randomUUID()}`;
  const response = await post(nodes, subject, method);
  const body: { code?: string; error?: { code?: number } } = JSON.parse(await response.text());
  const found = [nodes.upstream, nodes.otherUpstream].flatMap(({ requests, url }) =>
    requests
      .filter((request) => request.body.includes(method))
      .map(({ headers }) => ({
        authorization: headers.authorization,
        port: new URL(url).port,
      })),
  );
  return { status: response.status, code: body.code ?? body.error?.code, reached: found[0] };
}

/** Opens an event stream at the second node; resolves once its head is there. */
export async function openStream(nodes: TwoNodes, subject: Subject): Promise<Response> {
  const response = await post(nodes, subject, 'stream');
  if (!response.ok) throw new Error(`No stream: ${response.status}`);
  return response;
}

function post(
  { second }: TwoNodes,
  { member, route, headers }: Subject,
  method: string,
): Promise<Response> {
  return fetch(second.origin + route.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${member.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
  });
}
