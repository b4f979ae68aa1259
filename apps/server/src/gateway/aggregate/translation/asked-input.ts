import { randomUUID } from 'node:crypto';
import { type ClientHello, opensUrls } from '../../../mcp/client-hello.ts';
import { UPSTREAM_FAILED, URL_ELICITATION_REQUIRED } from '../../../mcp/errors.ts';
import { fieldsOf, isObject } from '../../../mcp/server/messages.ts';
import { failed, type Reply } from '../../../mcp/server/reply.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import type { UpstreamFailure } from '../upstream-answer.ts';
import { CAPABILITIES } from './modern-client.ts';

/** Ends a call that waits for its upstream or its client. */
export class CallEnd extends Error {
  /** Undefined for a call that its client has left or cancelled. */
  readonly failure: UpstreamFailure | undefined;

  constructor(failure?: UpstreamFailure) {
    super('The call has ended.');
    this.failure = failure;
  }
}

/** One question of an upstream. */
export interface InputRequest {
  /** The upstream's name for it. */
  readonly key: string;
  readonly method: string;
  /** Raw JSON. */
  readonly params: string | undefined;
}

/** The legacy client that an upstream asks, and the call during which it does. */
interface AskedCall {
  readonly hello: ClientHello;
  readonly method: string;
  readonly integrationId: string;
}

/** Questions of one round. */
const MAX_REQUESTS = 20;

/** Bytes of an elicitation, which is parsed. */
const MAX_ELICITATION = 64 * 1024;

/**
 * The questions in a result that is `input_required`; where URLs are to be opened, the reply to the client, which repeats
 * the call itself once the person has been there.
 *
 * @throws CallEnd for too many questions, and for what the client has not declared
 */
export function askedInput(
  { object, bytes }: ReadMessage,
  { hello, method, integrationId }: AskedCall,
): { readonly requests: readonly InputRequest[] } | { readonly reply: Reply } {
  const members = object.member('result')?.member('inputRequests')?.members ?? [];
  if (members.length > MAX_REQUESTS) throw tooManyQuestions();
  const requests = members.map((request) => ({
    key: request.name,
    method: methodOf(request.member('method')?.raw(bytes)),
    params: request.member('params')?.raw(bytes),
  }));
  const elicitations = requests.filter((request) => request.method === 'elicitation/create');
  if (elicitations.some(({ params = '' }) => params.length > MAX_ELICITATION)) {
    throw tooManyQuestions();
  }
  const urls = elicitations.flatMap(({ params = '{}' }) => urlIn(JSON.parse(params)));
  if (urls.length > 0) return { reply: replyWithUrls(urls, hello, method) };
  const isAllDeclared = requests.every((request) => isDeclared(hello, request.method));
  if (!isAllDeclared) throw capabilityMissing(integrationId);
  return { requests };
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

export function capabilityMissing(integrationId: string): CallEnd {
  return refused(
    'client_capability_missing',
    'The integration asks the client for something that it has not declared.',
    { integrationId },
  );
}

export function tooManyQuestions(): CallEnd {
  return refused('too_many_questions', 'The integration asks the client too many questions.');
}

export function tooLong(): CallEnd {
  return refused('client_timeout', 'The client has not answered in time.');
}

export function notAnswered(): CallEnd {
  return refused('client_refused', 'The client has not answered what the integration asks.');
}

function refused(code: string, message: string, data: object = {}): CallEnd {
  const error = { code: UPSTREAM_FAILED, message, data: { code, ...data } };
  return new CallEnd({ kind: 'refused', error });
}
