import { isUtf8 } from 'node:buffer';
import { HeldBytes } from '../held-bytes.ts';
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

/** What may come before a JSON text: white space and a byte order mark. */
const LEADING: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\uFEFF'));

/** Reads messages of a server as they arrive, and cuts or replaces bytes of their lists. */
export class MessageFilter {
  readonly #held = new HeldBytes();
  readonly #options: ListFilterOptions;
  readonly #tree: JsonTree;
  /** Undefined until the text has begun. */
  #isJson: boolean | undefined;
  #edits: Edit[] = [];
  #fault: ListFault | undefined;
  /** The list of the last entry. */
  #list: JsonNode | undefined;
  /** An entry of that list stays. */
  #hasKept = false;

  constructor(options: ListFilterOptions) {
    this.#options = options;
    const shape = options.allows === undefined ? WITHOUT_LISTS : WITH_LISTS;
    this.#tree = new JsonTree(this.#held, shape, (value, parent) => this.#end(value, parent));
  }

  /** Bytes that are held. */
  get held(): number {
    return this.#held.end - this.#held.start;
  }

  /** Bytes that have been read and may still be changed, or are needed: an entry is cut with the comma before it. */
  get undecided(): number {
    return this.#tree.position - this.#undecidedAt;
  }

  /** The text cannot be a message. */
  get isOther(): boolean {
    return this.#isJson === false;
  }

  /** Why the text cannot be filtered. */
  get fault(): ListFault | undefined {
    return this.#fault;
  }

  /** Something is cut or replaced in what has been read since the last {@link take}. */
  get hasEdits(): boolean {
    return this.#edits.length > 0;
  }

  append(part: Buffer): void {
    this.#held.append(part);
  }

  /** Reads bytes of what has arrived. @returns whether there is more to read */
  read(bytes: number): boolean {
    const { position } = this.#tree;
    const { end } = this.#held;
    const part = this.#held.slice(position, Math.min(position + bytes, end));
    this.#isJson ??= mayBeJson(part);
    const isRead = !this.isOther && this.#tree.feed(part) && !this.#tree.isFull;
    const { root } = this.#tree;
    const isTooLong = root !== undefined && root.kind === ARRAY && root.count > MAX_MESSAGES;
    if (!isRead || isTooLong || this.#openList?.kind === OBJECT) this.#note('unreadable');
    return this.#fault === undefined && this.#tree.position < end;
  }

  /** The text has ended, and everything has been read. */
  end(): void {
    if (this.#isJson === true && !this.#tree.end()) this.#note('unreadable');
  }

  /** What is decided of what has been read. */
  take(): Buffer {
    const edits = this.#edits;
    this.#edits = [];
    return this.#held.take(this.#undecidedAt, edits);
  }

  get #undecidedAt(): number {
    const { position, openKey, openScalar } = this.#tree;
    const isRead = openScalar !== undefined && position - openScalar.start <= MAX_VALUE;
    const scalar = isRead ? openScalar.start : position;
    return Math.min(this.#openList?.lastEnd ?? position, scalar, openKey, position);
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
    const { messages } = this.#options;
    const isPassed =
      root.kind === ARRAY
        ? messages?.passBatch(root.items.map(headOf))
        : messages?.pass(headOf(root));
    if (isPassed === false) this.#note('dropped');
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

/**
 * Whether a text with this beginning may be an object or array. Anything but a visible ASCII character counts
 * too, as it may be one in another encoding. Undefined as long as the text has not begun.
 */
function mayBeJson(chunk: Buffer): boolean | undefined {
  const first = chunk.find((byte) => !LEADING.has(byte));
  if (first === undefined) return undefined;
  const isVisible = first > 0x20 && first < 0x7f;
  return !isVisible || first === OBJECT || first === ARRAY;
}
