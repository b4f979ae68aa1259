import { decideMethod, type PolicyReason } from '@gatehouse/contract';
import type { Envelope, Message } from '../../mcp/envelope/message.ts';
import { HEADER_MISMATCH, INVALID_REQUEST } from '../../mcp/errors.ts';
import { refusalOf, responseTo } from '../../mcp/server/reply.ts';
import { Slices } from '../../platform/slices.ts';
import { TOOL_NAME } from '../connect-server/tool.ts';
import type { JudgedHeaders } from './judged-headers.ts';
import { headerFault } from './judged-headers.ts';
import { batchRefusal, policyRefusal } from './refusals.ts';
import type { RulesNow } from './rules-now.ts';

/** The decision about a body by rules about names. */
export type Judgement = Allowed | Refused;

export interface Allowed {
  readonly kind: 'allowed';
  /** The methods of its messages; undefined for responses. */
  readonly methods: readonly (string | undefined)[];
}

/** Nothing of the body goes up. */
export interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  /** Undefined where no request awaits a response. */
  readonly json: string | undefined;
  /** By rules; empty where the body cannot be judged. */
  readonly reasons: readonly PolicyReason[];
}

const NO_REASONS: readonly PolicyReason[] = [];

/**
 * Judges the messages of a body by the rules about names. The body alone decides: headers only have to agree with it.
 *
 * @param isConnected whether the call has a credential; without one, the tool that says how to connect is our own
 */
export function judge(
  envelope: Envelope,
  headers: JudgedHeaders,
  { route: { policy, target, integrationId }, catalogue }: RulesNow,
  isConnected: boolean,
): Judgement | Promise<Judgement> {
  if (envelope.kind === 'unreadable') return invalid(INVALID_REQUEST, envelope.reason);
  const isBatch = envelope.kind === 'batch';
  const messages = isBatch ? envelope.messages : [envelope.message];
  const fault = messages.find((message) => message.fault !== undefined)?.fault;
  if (fault !== undefined) return invalid(INVALID_REQUEST, fault);
  for (const message of messages) {
    const mismatch = headerFault(message, headers);
    if (mismatch !== undefined) {
      return invalid(HEADER_MISMATCH, mismatch, isBatch ? undefined : message.id);
    }
  }

  const reasonsOf = (message: Message): readonly PolicyReason[] => {
    const { method, name, uri, ref, hasTask, resourceSubscriptions } = message;
    if (method === undefined) return NO_REASONS;
    // Only one that the modern era has removed, see `Draft`.
    if (method === 'resources/subscribe' && uri === undefined) return NO_REASONS;
    if (!isConnected && method === 'tools/call' && name === TOOL_NAME) return NO_REASONS;
    const tool = name === undefined ? undefined : catalogue?.factsOf(name);
    const { authMode } = target;
    // A copy of the message would take as long as all of its rules.
    const request = { method, name, uri, ref, hasTask, resourceSubscriptions, tool, authMode };
    return decideMethod(policy?.levels ?? [], request);
  };
  const judgementOf = (reasons: readonly (readonly PolicyReason[])[]): Judgement =>
    reasons.every(({ length }) => length === 0)
      ? { kind: 'allowed', methods: messages.map(({ method }) => method) }
      : refusedTogether(messages, reasons, integrationId, isBatch);
  if (!isBatch) return judgementOf(messages.map(reasonsOf));
  return inSlices(messages, reasonsOf).then(judgementOf);
}

/** Under the longest rules, one message may take several milliseconds. */
async function inSlices<T>(
  messages: readonly Message[],
  judgeOne: (message: Message) => T,
): Promise<readonly T[]> {
  const slices = new Slices();
  const judged: T[] = [];
  for (const message of messages) {
    if (slices.isOver) await slices.pause();
    judged.push(judgeOne(message));
  }
  return judged;
}

/** If one message of a batch is refused, every request of the batch gets an error. */
function refusedTogether(
  messages: readonly Message[],
  reasons: readonly (readonly PolicyReason[])[],
  integrationId: string,
  isBatch: boolean,
): Refused {
  if (messages.some(({ id }, index) => id === 'null' && reasons[index]?.length)) {
    return invalid(INVALID_REQUEST, 'The id of a request must not be null.');
  }
  const responses = messages.flatMap(({ id, method }, index) => {
    if (id === undefined || method === undefined) return [];
    const own = reasons[index] ?? NO_REASONS;
    const error = own.length > 0 ? policyRefusal(own, integrationId) : batchRefusal(integrationId);
    return [responseTo(id, { error })];
  });
  const refused = { kind: 'refused', reasons: reasons.flat() } as const;
  if (responses.length === 0) return { ...refused, status: 202, json: undefined };
  const json = isBatch ? `[${responses.join(',')}]` : responses.join();
  return { ...refused, status: 200, json };
}

function invalid(code: number, message: string, id = 'null'): Refused {
  const json = refusalOf(id, { code, message });
  return { kind: 'refused', status: 400, json, reasons: NO_REASONS };
}
