import { serverTest } from '../places.mjs';

const SERVER = 'apps/server/src/gateway/connect-server';
const SESSION_IDS = 'apps/server/src/sessions/connect-session-ids.ts';
const inClients = (name) => serverTest('gateway/connect-server-clients.test.ts', name);
const inGateway = (name) => serverTest('connect/through-the-gateway.test.ts', name);
const inServer = (name) => serverTest('gateway/connect-server.test.ts', name);

export const connectServerPatches = [
  {
    name: 'connect-server-link-elsewhere',
    means: 'A person is sent to connect something else than what they have called.',
    file: 'apps/server/src/gateway/connect-place.ts',
    search: `connectUrl: \`\${publicUrl}/connect?integration=\${integrationId}\``,
    replace: `connectUrl: \`\${publicUrl}/connect?integration=\${integrationId.slice(1)}\``,
    test: inServer(
      'a legacy client whose person is not connected > is given the link as text by the tool, and by every other call',
    ),
  },
  {
    name: 'connect-server-unsigned-session',
    means: 'Anybody can make up the id of a session.',
    file: SESSION_IDS,
    search: "return isOurs && tag.toString('base64url') === text ? session : undefined;",
    replace: "return isOurs || tag.toString('base64url') === text ? session : undefined;",
    test: inServer('the session > is refused when it was altered anywhere'),
  },
  {
    name: 'connect-server-second-spelling',
    means: 'The id of a session has several spellings.',
    file: SESSION_IDS,
    search: "return isOurs && tag.toString('base64url') === text ? session : undefined;",
    replace: 'return isOurs ? session : undefined;',
    test: inServer('the session > is refused when it was altered anywhere'),
  },
  {
    name: 'connect-server-session-of-another',
    means: 'The session of one person is that of another one too.',
    file: SESSION_IDS,
    search: 'attachmentId, userId, tokenId]);',
    replace: 'attachmentId, tokenId.length]);',
    test: inServer("the session > is its caller's alone, and of one attachment"),
  },
  {
    name: 'connect-server-session-of-another-token',
    means: 'A session outlives the token with which it began.',
    file: SESSION_IDS,
    search: 'attachmentId, userId, tokenId]);',
    replace: 'attachmentId, userId]);',
    test: inServer('the session > is of one token alone'),
  },
  {
    name: 'connect-server-session-of-another-attachment',
    means: 'A session is one with other applications and integrations too.',
    file: SESSION_IDS,
    search: 'organizationId, attachmentId, userId, tokenId]);',
    replace: 'organizationId, userId, tokenId]);',
    test: inServer("the session > is its caller's alone, and of one attachment"),
  },
  {
    name: 'connect-server-long-body',
    means: 'One request parses as much as its sender likes.',
    file: `${SERVER}/read-small-body.ts`,
    search: 'contentLength && contentLength <= MAX_BYTES',
    replace: 'contentLength && contentLength <= MAX_BYTES * 64',
    test: inServer('a body > of more than 64 KiB is refused: its length declared'),
  },
  {
    name: 'connect-server-long-chunked-body',
    means: 'One request without a declared length fills the memory of this server.',
    file: `${SERVER}/read-small-body.ts`,
    search: 'if (size > MAX_BYTES || chunks.length',
    replace: 'if (size < 0 || chunks.length',
    test: inServer('a body > of more than 64 KiB is refused: its length undeclared'),
  },
  {
    name: 'connect-server-many-chunks',
    means: 'A request in tiny pieces takes far more memory than its size.',
    file: `${SERVER}/read-small-body.ts`,
    search: 'chunks.length > MAX_CHUNKS',
    replace: 'chunks.length > MAX_BYTES',
    test: inServer('a body > in more than 256 pieces is refused'),
  },
  {
    name: 'connect-server-waits-for-body',
    means: 'A client that waits for an answer before its request is over waits for ever.',
    file: `${SERVER}/read-small-body.ts`,
    search: 'const timer = setTimeout(giveUp, MAX_PAUSE);',
    replace: 'const timer = setTimeout(giveUp, MAX_PAUSE * 1_000);',
    test: inServer('a body > that pauses is refused as soon as its id is known'),
  },
  {
    name: 'connect-server-stream-outlives-need',
    means: 'A client goes on with the tools of a person who is not connected.',
    file: `${SERVER}/connect-stream.ts`,
    search: 'this.#write(this.#texts.connected);',
    replace: 'this.#write(this.#texts.first);',
    test: inServer('the session > of 2025-06-18 ends once the person has connected'),
  },
  {
    name: 'connect-server-answers-upstream-tool',
    means: 'A tool of the upstream that is named like ours cannot be called.',
    file: `${SERVER}/repeated-call.ts`,
    search: 'messages.request.params.requestState !== ASKED',
    replace: "messages.request.params.requestState === ''",
    test: inClients('a modern client that opens URLs is given one to open'),
  },
  {
    name: 'connect-server-forgets-the-call',
    means:
      'A person who has just connected reads that the tool they were asked to call does not exist.',
    file: `${SERVER}/repeated-call.ts`,
    search: "headers['mcp-name'] === TOOL_NAME &&",
    replace: "headers['mcp-name'] === '' &&",
    test: inClients('a modern client that opens URLs is given one to open'),
  },
  {
    name: 'scopes-beyond-the-administrator',
    means: 'An upstream gets people to give more than the administrator has chosen.',
    file: 'apps/server/src/credentials/want-scopes.ts',
    search: 'config.scopes.length > 0',
    replace: 'config.scopes.length > 1_000',
    test: inGateway(
      'a call of a legacy client that lacks scopes > is answered by the upstream where an administrator has chosen the scopes',
    ),
  },
  {
    name: 'scopes-only-those-lacking',
    means: 'A person who gives one more permission loses those given before.',
    file: 'apps/server/src/credentials/connect/plan-connecting.ts',
    search: 'return [...(grant?.scopes ?? []), ...wantedScopes];',
    replace: 'return wantedScopes;',
    test: inGateway('what a person has given for one tool is kept when they give more for another'),
  },
  {
    name: 'scopes-not-repeated',
    means: 'What a person has given is forgotten where the provider does not repeat it.',
    file: 'apps/server/src/credentials/connect/finish-connecting.ts',
    search: 'tokens.scopes ?? attempt.scopes',
    replace: 'tokens.scopes',
    test: inGateway(
      'a provider that does not repeat the scopes has granted those that it was asked for',
    ),
  },
];
