import { randomUUID } from 'node:crypto';
import { type ClientHello, opensUrls } from '../../../mcp/client-hello.ts';
import { UPSTREAM_FAILED, URL_ELICITATION_REQUIRED } from '../../../mcp/errors.ts';
import { fieldsOf, isObject } from '../../../mcp/server/messages.ts';
import { failed, type Reply, type RpcRefusal } from '../../../mcp/server/reply.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { CAPABILITIES } from './modern-client.ts';

/** One question of an upstream. */
export interface InputRequest {
  /** The upstream's name for it. */
  readonly key: string;
  readonly method: string;
  /** Raw JSON. */
  readonly params: string | undefined;
}

/** What an upstream asks before it completes a call. */
export type AskedInput =
  | {
      readonly kind: 'requests';
      readonly requests: readonly InputRequest[];
      isDeclared(hello: ClientHello): boolean;
    }
  /** URLs are to be opened: what the client is answered with. */
  | { readonly kind: 'url'; replyFor(hello: ClientHello, method: string): Reply }
  | { readonly kind: 'too_much' };

/** Questions of one round. */
const MAX_REQUESTS = 20;

/** Bytes of an elicitation, which is parsed. */
const MAX_ELICITATION = 64 * 1024;

/** The questions in a result that is `input_required`. */
export function askedInput(message: ReadMessage): AskedInput {
  const result = message.object.member('result');
  const members = result?.member('inputRequests')?.members ?? [];
  if (members.length > MAX_REQUESTS) return { kind: 'too_much' };
  const requests = members.map((request) => ({
    key: request.name,
    method: methodOf(request.member('method')?.raw(message.bytes)),
    params: request.member('params')?.raw(message.bytes),
  }));
  const elicitations = requests.filter(({ method }) => method === 'elicitation/create');
  if (elicitations.some(({ params = '' }) => params.length > MAX_ELICITATION)) {
    return { kind: 'too_much' };
  }
  const urls = elicitations.flatMap(({ params = '{}' }) => urlIn(JSON.parse(params)));
  if (urls.length > 0) {
    return { kind: 'url', replyFor: (hello, method) => replyWithUrls(urls, hello, method) };
  }
  return {
    kind: 'requests',
    requests,
    isDeclared: (hello) => requests.every(({ method }) => isDeclared(hello, method)),
  };
}

function methodOf(raw = 'null'): string {
  const method: unknown = JSON.parse(raw);
  return typeof method === 'string' ? method : '';
}

interface UrlElicitation {
  readonly message: string;
  readonly url: string;
}

function urlIn(params: unknown): readonly UrlElicitation[] {
  const { mode, url, message } = fieldsOf(params);
  const isUrl = mode === 'url' && typeof url === 'string' && typeof message === 'string';
  return isUrl ? [{ message, url }] : [];
}

/** The client repeats the call itself once the person has been there. */
function replyWithUrls(urls: readonly UrlElicitation[], hello: ClientHello, method: string): Reply {
  const text = urls.map(({ message, url }) => `${message}\n${url}`).join('\n\n');
  if (opensUrls(hello)) {
    const elicitations = urls.map(({ message, url }) => {
      return { mode: 'url', elicitationId: randomUUID(), url, message };
    });
    const [{ message } = { message: '' }] = urls;
    return failed(URL_ELICITATION_REQUIRED, message, { elicitations });
  }
  if (method === 'tools/call') {
    return { result: { content: [{ type: 'text', text }], isError: true } };
  }
  return failed(UPSTREAM_FAILED, text, { code: 'client_capability_missing' });
}

/** An empty `elicitation` means forms (2025-11-25). */
function isDeclared({ capabilities }: ClientHello, method: string): boolean {
  const needed = CAPABILITIES.get(method);
  const declared = needed === undefined ? undefined : capabilities[needed];
  if (!isObject(declared)) return false;
  return needed !== 'elicitation' || 'form' in declared || !('url' in declared);
}

function refusal(code: string, message: string, data: object = {}): RpcRefusal {
  return { code: UPSTREAM_FAILED, message, data: { code, ...data } };
}

export function capabilityMissing(integrationId: string): RpcRefusal {
  return refusal(
    'client_capability_missing',
    'The integration asks the client for something that it has not declared.',
    { integrationId },
  );
}

export function tooManyRounds(): RpcRefusal {
  return refusal('too_many_questions', 'The integration asks the client too many questions.');
}

export function tooLong(): RpcRefusal {
  return refusal('client_timeout', 'The client has not answered in time.');
}

export function unanswered(): RpcRefusal {
  return refusal('client_refused', 'The client has not answered what the integration asks.');
}
