import { randomUUID } from 'node:crypto';
import {
  type BlockContent,
  type BlockHead,
  blockHashOf,
  contentHashOf,
  createBlockId,
  ownerOf,
  type RunHead,
} from '../../../src/audit/block.ts';
import { decodeCalls } from '../../../src/audit/decode-calls.ts';
import { type CallInput, encodeCalls } from '../../../src/audit/encode-calls.ts';
import { type CallEvent, digestOf, type ManagementEvent } from '../../../src/audit/event.ts';
import { hashOfText } from '../../../src/audit/hash.ts';
import { type NewAuditKey, signHash } from '../../../src/audit/keys.ts';
import { createId } from '../../../src/platform/ids.ts';

/** When the first block of all is made. */
const START = Date.parse('2026-11-27T10:00:00.000Z');

export const timeOf = (second: number) => new Date(START + second * 1_000).toISOString();

export interface Block {
  readonly head: BlockHead;
  readonly content: BlockContent;
  readonly hash: string;
  readonly signature: string;
  readonly calls: readonly CallEvent[];
  readonly managed: readonly ManagementEvent[];
}

interface BlockOptions {
  /** In seconds since `START`. */
  readonly at: number;
  readonly key: NewAuditKey;
  readonly organizationId?: string | null;
  readonly calls?: number;
  readonly managed?: readonly ManagementEvent[];
  /** The run that the management events are adopted from. */
  readonly adoptedFrom?: string;
  readonly witnesses?: readonly RunHead[];
  readonly ends?: boolean;
  /** Another head than a server would make. */
  readonly forged?: Partial<BlockHead>;
}

/** One run of a node, and its blocks. */
export class Chain {
  readonly run: string;
  readonly node: string;
  readonly blocks: Block[] = [];

  constructor(node: string, run: string = randomUUID()) {
    this.node = node;
    this.run = run;
  }

  /** The same run until this block, to be continued in another way. */
  fork(number: number): Chain {
    const fork = new Chain(this.node, this.run);
    fork.blocks.push(...this.blocks.slice(0, number));
    return fork;
  }

  /** Its last block, or an earlier one. */
  head(number = this.blocks.length): RunHead {
    const block = this.blocks[number - 1];
    if (block === undefined) throw new Error('There is no such block.');
    return { run: this.run, number, hash: block.hash };
  }

  add(options: BlockOptions): Block {
    const { at, key, organizationId = null, managed = [], adoptedFrom = null } = options;
    const id = createBlockId();
    const events = Array.from({ length: options.calls ?? 0 }, (_, index) => callAt(at, index));
    const none = { from: timeOf(at), to: timeOf(at), applications: [], integrations: [] };
    const { body, ...sets } =
      events.length === 0 ? { ...none, people: [], body: undefined } : encodeCalls(events);
    const content: BlockContent = {
      ...{ id, organizationId, from: sets.from, to: sets.to, calls: events.length },
      applications: [...sets.applications],
      integrations: [...sets.integrations],
      people: [...sets.people],
      managed: managed.map((event) => ({
        id: event.id,
        digest: digestOf(event),
        run: adoptedFrom,
      })),
      body: body === undefined ? null : hashOfText(body),
    };
    const number = this.blocks.length + 1;
    const head: BlockHead = {
      ...{ run: this.run, number, node: this.node, at: timeOf(at), keyId: key.key.id },
      previous: this.blocks.at(-1)?.hash ?? null,
      ends: options.ends ?? false,
      witnesses: [...(options.witnesses ?? [])],
      owner: ownerOf(this.run, number, organizationId),
      content: contentHashOf(content),
      ...options.forged,
    };
    const hash = blockHashOf(head);
    const calls = body === undefined ? [] : decodeCalls({ id, ...sets }, body);
    const signature = signHash(hash, key.privateKey);
    const block: Block = { head, content, hash, signature, calls, managed };
    this.blocks.push(block);
    return block;
  }
}

function callAt(second: number, index: number): CallInput {
  const person = { id: `person-${index % 2}`, name: index % 2 === 0 ? 'Ada' : 'Grace' };
  return {
    at: START + second * 1_000 - 500 + index,
    action: 'call',
    actor: { kind: 'person', ...person, via: { kind: 'token', id: `token-${index % 3}` } },
    target: { kind: 'integration', id: 'integration-1', name: 'Files' },
    outcome: 'ok',
    requestId: randomUUID(),
    address: '192.0.2.1',
    details: {
      ...{ applicationId: 'application-1', integrationId: 'integration-1', userId: person.id },
      ...{ sessionId: `session-${index % 2}`, httpMethod: 'POST', method: 'tools/call' },
      ...{ name: 'delete', uri: null, credential: 'person', status: 200, reasons: [] },
      ...{ ms: 12 + index, bytesIn: 120, bytesOut: 3_400 },
    },
  };
}

export function managementEvent(second: number): ManagementEvent {
  const via = { kind: 'grant', id: 'grant-1', applicationId: 'application-1' };
  return {
    id: createId().id,
    kind: 'management',
    at: timeOf(second),
    action: 'integration.updated',
    actor: { kind: 'person', id: 'p1', name: 'Ada', via },
    target: { kind: 'integration', id: 'integration-1', name: 'Files' },
    outcome: 'ok',
    requestId: randomUUID(),
    address: '192.0.2.1',
    details: { changes: [{ field: 'name', from: 'File', to: 'Files' }], 2: 'second', 1: 'first' },
  };
}
