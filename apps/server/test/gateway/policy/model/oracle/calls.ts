import { isUnreadable, type Message, type Situation, whyRefused } from './messages.ts';
import { type Someone, whyKeptOut } from './people.ts';
import { areNamesLimited, isAnyLevel, type Reason } from './rules.ts';

/** What is wrong with the headers that repeat the method and name of the body. */
export type HeaderFault =
  | 'method_differs'
  | 'name_differs'
  | 'method_missing'
  | 'name_missing'
  | undefined;

/** One POST. */
export interface Post {
  readonly messages: readonly Message[];
  readonly isModern: boolean;
  readonly headerFault: HeaderFault;
  /** The first message has its method twice. */
  readonly isRepeated: boolean;
}

/** The error for one request. */
export interface RefusedRequest {
  readonly id: Message['id'];
  readonly code: string;
  readonly reasons: readonly Reason[];
}

/** What comes of a call. Unless it is sent, the upstream learns nothing. */
export type Outcome =
  | { readonly kind: 'sent' | 'unreadable' | 'headers_differ' | 'accepted' }
  | { readonly kind: 'kept_out'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'refused'; readonly requests: readonly RefusedRequest[] };

/** People first, then what cannot be read, then the headers, and then the names. */
export function outcomeOf(post: Post, someone: Someone, situation: Situation): Outcome {
  const { messages } = post;
  const keptOut = whyKeptOut(situation.rules, someone);
  if (keptOut.length > 0) return { kind: 'kept_out', reasons: keptOut };
  if (!isAnyLevel(situation.rules, areNamesLimited)) return { kind: 'sent' };
  if (post.isRepeated || messages.some(isUnreadable)) return { kind: 'unreadable' };
  if (messages.some((message) => isDiffering(message, post))) return { kind: 'headers_differ' };

  const judged = messages.map((message) => ({ message, reasons: whyRefused(message, situation) }));
  const refused = judged.filter(({ reasons }) => reasons.length > 0);
  if (refused.length === 0) return { kind: 'sent' };
  if (refused.some(({ message }) => message.id === null)) return { kind: 'unreadable' };
  const requests = judged.filter(({ message }) => isRequest(message));
  if (requests.length === 0) return { kind: 'accepted' };
  return {
    kind: 'refused',
    requests: requests.map(({ message: { id }, reasons }) => ({
      id,
      code: reasons.length > 0 ? 'policy' : 'policy_batch',
      reasons,
    })),
  };
}

const isRequest = ({ id, method }: Message) => id !== undefined && method !== undefined;

/** Headers are compared in every era, and required of requests in the modern one. */
function isDiffering(message: Message, { headerFault, isModern }: Post): boolean {
  // Of a task the header repeats the id, which is no name.
  const isOfTasks = /^tasks\//.test(message.method ?? '');
  const isNamed = NAMED.includes(message.method ?? '');
  const mustHave = isModern && isRequest(message);
  switch (headerFault) {
    case undefined:
      return false;
    case 'method_differs':
      return true;
    case 'name_differs':
      return !isOfTasks;
    case 'method_missing':
      return mustHave;
    case 'name_missing':
      return mustHave && isNamed;
  }
}

/** Methods with a name that a header must repeat (2026-07-28); with other methods it repeats nothing. */
const NAMED = ['tools/call', 'prompts/get', 'resources/read'];
