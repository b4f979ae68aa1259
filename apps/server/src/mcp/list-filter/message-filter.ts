import { isUtf8 } from 'node:buffer';
import type { HeldBytes } from '../held-bytes.ts';
import { type Edit, removal, replacement } from '../json/edit.ts';
import { textOf } from '../json/keys.ts';
import { ARRAY, type JsonNode, OBJECT, type Span } from '../json/node.ts';
import { arrayOf, objectOf, type Shape, VALUE } from '../json/shape.ts';
import { JsonTree } from '../json/tree.ts';
import { HEAD_VALUES, headOf, MAX_VALUE, messageOf } from '../message-head.ts';
import { type ListKey, listKeys, mcpLists } from '../methods.ts';
import { type ListFault, type ListFilterOptions, MAX_ENTRY } from './options.ts';

/** Bytes of `"public"` with every letter escaped. */
const LONGEST_SCOPE = 38;

/** Messages of a batch. */
const MAX_MESSAGES = 1000;

const LIST_NAMES: ReadonlySet<string> = new Set(listKeys);

/** Lists by their keys. Some clients may take an object for a list, so that it is looked into as well. */
const LISTS: Readonly<Record<string, Shape>> = Object.fromEntries(
  listKeys.map((list) => {
    const entry = objectOf([mcpLists[list].identifier]);
    return [list, { ...arrayOf(entry), ...objectOf([]) }];
  }),
);

const WITH_LISTS = bodyOf(messageOf(objectOf(['cacheScope'], LISTS)));
const WITHOUT_LISTS = bodyOf(messageOf(VALUE));

function bodyOf(message: Shape): Shape {
  return { ...message, ...arrayOf(message, MAX_MESSAGES) };
}

/** Reads messages of a server as they arrive, and says which bytes of their lists are cut or replaced. */
export class MessageFilter {
  readonly #held: HeldBytes;
  readonly #options: ListFilterOptions;
  readonly #tree: JsonTree;
  #edits: Edit[] = [];
  #fault: ListFault | undefined;
  /** The list of the last entry. */
  #list: JsonNode | undefined;
  /** An entry of that list stays. */
  #hasKept = false;

  /** @param held what has been read, from {@link undecided} on at least */
  constructor(held: HeldBytes, options: ListFilterOptions) {
    this.#held = held;
    this.#options = options;
    const shape = options.allows === undefined ? WITHOUT_LISTS : WITH_LISTS;
    this.#tree = new JsonTree(held, shape, (value, parent) => this.#end(value, parent));
  }

  /** The position of the first byte that has not been read. */
  get position(): number {
    return this.#tree.position;
  }

  /** Bytes from here on may still be changed or are needed: an entry is cut with the comma before it. */
  get undecided(): number {
    const { position, openKey, openScalar } = this.#tree;
    const isRead = openScalar !== undefined && position - openScalar.start <= MAX_VALUE;
    const scalar = isRead ? openScalar.start : position;
    return Math.min(this.#openList?.lastEnd ?? position, scalar, openKey, position);
  }

  /** @returns why the text cannot be filtered */
  feed(part: Buffer): ListFault | undefined {
    const isJson = this.#tree.feed(part) && !this.#tree.isFull;
    const { root } = this.#tree;
    const isTooLong = root !== undefined && root.kind === ARRAY && root.count > MAX_MESSAGES;
    if (!isJson || isTooLong || this.#openList?.kind === OBJECT) this.#note('unreadable');
    return this.#fault;
  }

  /** The text has ended. */
  end(): ListFault | undefined {
    if (!this.#tree.end()) this.#note('unreadable');
    return this.#fault;
  }

  /** The changes since the last time, in order. */
  takeEdits(): readonly Edit[] {
    const edits = this.#edits;
    this.#edits = [];
    return edits;
  }

  get #openList(): JsonNode | undefined {
    return this.#tree.open.find(({ name }) => isListKey(name));
  }

  #end(value: JsonNode, parent: JsonNode | undefined): void {
    const { name } = value;
    if (parent === undefined) this.#judge(value);
    else if (name === '') this.#endItem(value, parent);
    else if (name === 'cacheScope') this.#endScope(value);
    else if (name === 'result') this.#endResult(value, parent);
    else if (HEAD_VALUES.has(name)) this.#keep(value);
    else if (isListKey(name)) this.#endList(value, parent);
  }

  #keep(value: JsonNode): void {
    if (!value.isContainer && value.end - value.start <= MAX_VALUE) value.keep(this.#held);
  }

  /** A batch passes as a whole or not at all. */
  #judge(root: JsonNode): void {
    const messages = root.kind === ARRAY ? root.items : [root];
    if (this.#options.messages?.pass(messages.map(headOf)) === false) this.#note('dropped');
  }

  #endResult(result: JsonNode, message: JsonNode): void {
    if (this.#options.allows === undefined) return;
    if (!isOnly(result, message, (name) => name === 'result')) this.#note('ambiguous');
  }

  #endList(list: JsonNode, result: JsonNode): void {
    if (!isOnly(list, result, isListKey)) this.#note('ambiguous');
    if (list.kind === OBJECT) this.#note('unreadable');
  }

  #endScope(scope: JsonNode): void {
    if (scope.end - scope.start > LONGEST_SCOPE) return;
    if (!this.#options.makePrivate || this.#textOf(scope) !== 'public') return;
    this.#edits.push(replacement(scope, '"private"'));
  }

  /** An entry of a list has ended, or a message of a batch. */
  #endItem(entry: JsonNode, list: JsonNode): void {
    if (!isListKey(list.name)) return;
    if (this.#list !== list) this.#hasKept = false;
    this.#list = list;
    this.#tree.forgetLast(list);
    if (this.#fault !== undefined) return;
    const isAllowed = this.#isAllowed(entry, list.name);
    if (typeof isAllowed === 'string') {
      this.#note(isAllowed);
      return;
    }
    const start = entry.index === 0 ? entry.start : entry.previousEnd;
    // The first entry that stays must not have a comma before it.
    if (!isAllowed) this.#cut({ start, end: entry.end });
    else if (!this.#hasKept) this.#cut({ start, end: entry.start });
    this.#hasKept ||= isAllowed;
  }

  /** An entry that cannot be identified is not allowed. */
  #isAllowed(entry: JsonNode, list: ListKey): boolean | ListFault {
    const { start, end } = entry;
    if (end - start > MAX_ENTRY) return 'entry_too_large';
    const [named, ...others] = entry.members;
    if (others.length > 0) return 'ambiguous';
    const identifier = named === undefined || named.isLookAlike ? null : this.#textOf(named);
    if (identifier === null) return false;
    const bytes = this.#held.slice(start, end);
    if (!isUtf8(bytes)) return 'unreadable';
    return this.#options.allows?.(list, identifier, bytes) ?? true;
  }

  #textOf({ start, end }: Span): string | null {
    const { buffer, base } = this.#held;
    return textOf(buffer, start - base, end - base, end - start);
  }

  /** Adjacent cuts become one, so that a list of which every entry is cut takes no memory. */
  #cut(span: Span): void {
    const last = this.#edits.at(-1);
    const isTouching = last?.end === span.start && last.replacement.length === 0;
    if (isTouching) this.#edits.splice(-1, 1, removal({ start: last.start, end: span.end }));
    else if (span.start < span.end) this.#edits.push(removal(span));
  }

  #note(fault: ListFault): void {
    this.#fault ??= fault;
  }
}

/** No other member that is meant has come before, nor is a key that only some parsers take for the same. */
function isOnly(
  member: JsonNode,
  { members }: JsonNode,
  isMeant: (name: string) => boolean,
): boolean {
  return !member.isLookAlike && members.find(({ name }) => isMeant(name)) === member;
}

function isListKey(name: string): name is ListKey {
  return LIST_NAMES.has(name);
}
