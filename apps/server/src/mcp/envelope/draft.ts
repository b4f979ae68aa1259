import type { Span } from '../json/node.ts';
import type { Message, Reference } from './message.ts';

/** A value that should be a string; null if it is something else, or too long. */
type Text = string | null | undefined;

/** A message while it is read. */
export class Draft {
  id: string | undefined;
  idAt: Span | undefined;
  method: Text;
  name: Text;
  nameAt: Span | undefined;
  uri: Text;
  ref: { type?: Text; name?: Text; nameAt?: Span; uri?: Text } | undefined;
  hasTask = false;
  resourceSubscriptions: string[] = [];
  /** Whether the URIs are anything but a list of strings. */
  hasOddSubscriptions = false;
  protocolVersion: string | undefined;
  progressToken: string | undefined;

  /** Why rules cannot be applied to the message; undefined if it has what its method needs. */
  get fault(): string | undefined {
    if (this.method === null) return 'The method must be a string.';
    const needs = NEEDS.get(this.method ?? '');
    return needs === undefined || needs.isMet(this) ? undefined : needs.sentence;
  }

  /** Whether parsers may differ about the method, or about the name or URI that it needs. */
  get isUnclear(): boolean {
    if (this.method === null) return true;
    return NEEDS.has(this.method ?? '') && (this.name === null || this.uri === null);
  }

  get message(): Message {
    return {
      fault: this.fault,
      id: this.id,
      idAt: this.idAt,
      method: this.method ?? undefined,
      name: this.name ?? undefined,
      nameAt: this.nameAt,
      uri: this.uri ?? undefined,
      ref: this.ref && referenceOf(this.ref),
      hasTask: this.hasTask,
      resourceSubscriptions: this.resourceSubscriptions,
      protocolVersion: this.protocolVersion,
      progressToken: this.progressToken,
    };
  }
}

interface Need {
  readonly sentence: string;
  isMet(draft: Draft): boolean;
}

const NAME: Need = {
  sentence: 'params.name must be a string of at most 16 KiB.',
  isMet: ({ name }) => typeof name === 'string',
};

const URI: Need = {
  sentence: 'params.uri must be a string of at most 16 KiB.',
  isMet: ({ uri }) => typeof uri === 'string',
};

/** 2026-07-28 has removed the method, and servers say so: without a URI there is nothing to judge. */
const URI_UNLESS_MODERN: Need = {
  ...URI,
  isMet: (draft) =>
    URI.isMet(draft) || (draft.uri === undefined && draft.protocolVersion !== undefined),
};

const REFERENCE: Need = {
  sentence: 'params.ref must have a type, and the name of a prompt or the uri of a resource.',
  isMet: ({ ref }) => {
    if (typeof ref?.type !== 'string') return false;
    if (ref.type === 'ref/prompt') return typeof ref.name === 'string';
    return ref.type !== 'ref/resource' || typeof ref.uri === 'string';
  },
};

const SUBSCRIPTIONS: Need = {
  sentence: 'params.notifications.resourceSubscriptions must be an array of at most 1,000 strings.',
  isMet: ({ hasOddSubscriptions }) => !hasOddSubscriptions,
};

/** What a message must have, by its method, for rules to be applied to it. */
const NEEDS: ReadonlyMap<string, Need> = new Map([
  ['tools/call', NAME],
  ['prompts/get', NAME],
  ['resources/read', URI],
  ['resources/subscribe', URI_UNLESS_MODERN],
  ['completion/complete', REFERENCE],
  ['subscriptions/listen', SUBSCRIPTIONS],
]);

function referenceOf({ type, name, nameAt, uri }: NonNullable<Draft['ref']>): Reference {
  return { type: type ?? undefined, name: name ?? undefined, nameAt, uri: uri ?? undefined };
}
