import type { Kind, Said } from './answer.ts';

/** How the exchange reaches its client. */
export type Way = 'same era' | 'translated' | 'rules';

/** The messages of an answer that its client may read, and those that it must, by their indexes. */
export interface Expected {
  readonly may: ReadonlySet<number>;
  readonly must: ReadonlySet<number>;
}

const OWN: ReadonlySet<Kind> = new Set(['own', 'ownAtTheEnd', 'ownError']);

/** By the words of the specification alone: a response has the id of its request, and each request one response. */
export function expectedOf({ kinds, form, isExact }: Said, way: Way): Expected {
  const may = new Set<number>();
  const must = new Set<number>();
  if (!isExact) return { may, must };
  let isAnswered = false;
  let isRefused = false;
  let isBroken = false;
  const read = form === 'json' ? kinds.slice(0, 1) : kinds;
  for (const [index, kind] of read.entries()) {
    const isAnswer: boolean = OWN.has(kind) && !isAnswered;
    const isRefusal: boolean = kind === 'refusal' && !isRefused;
    const isNotification = kind === 'notification' && form === 'events';
    if (isAnswer || isRefusal || kind === 'notification') may.add(index);
    const isOver = isBroken || (way === 'translated' && (isAnswered || isRefused));
    if ((isAnswer || isRefusal || isNotification) && !isOver) must.add(index);
    isAnswered ||= isAnswer;
    isRefused ||= isRefusal;
    // What cannot be filtered ends its response.
    isBroken ||= kind === 'broken' && way === 'rules';
  }
  return { may, must };
}
