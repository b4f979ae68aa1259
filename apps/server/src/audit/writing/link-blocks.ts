import {
  type BlockContent,
  blockHashOf,
  contentHashOf,
  createBlockId,
  ownerOf,
  type RunHead,
} from '../block.ts';
import { type NewAuditKey, signHash } from '../keys.ts';
import type { StoredBlock } from '../stored-block.ts';
import type { CallsOfBlock } from './prepare-calls.ts';

/** The chain of one run, up to its last block. */
export interface Chain {
  readonly run: string;
  readonly node: string;
  /** The number of the last block; 0 before the first one. */
  readonly number: number;
  readonly hash: string | null;
  /** Milliseconds since 1970, of the last block. */
  readonly at: number;
}

/** The content of a block to be made. */
export interface BlockPart {
  /** Null for a block that is only a witness. */
  readonly organizationId: string | null;
  readonly calls?: CallsOfBlock | undefined;
  readonly managed?: BlockContent['managed'];
}

export interface Linking {
  readonly signer: NewAuditKey;
  /** For the first of the blocks. */
  readonly witnesses: readonly RunHead[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The last of the blocks ends the run. */
  readonly ends: boolean;
}

/** Makes signed blocks that continue a chain. */
export function linkBlocks(
  chain: Chain,
  parts: readonly BlockPart[],
  { signer, witnesses, now, ends }: Linking,
): { readonly blocks: readonly StoredBlock[]; readonly chain: Chain } {
  const blocks: StoredBlock[] = [];
  let last = chain;
  for (const [index, part] of parts.entries()) {
    const number = last.number + 1;
    // The clock may have been set back.
    const at = Math.max(now, last.at);
    const time = new Date(at).toISOString();
    const content = contentOf(part, time);
    const head = {
      ...{ run: chain.run, number, node: chain.node, at: time, previous: last.hash },
      ends: ends && index === parts.length - 1,
      keyId: signer.key.id,
      witnesses: index === 0 ? [...witnesses] : [],
      owner: ownerOf(chain.run, number, content.organizationId),
      content: contentHashOf(content),
    };
    const hash = blockHashOf(head);
    const signature = signHash(hash, signer.privateKey);
    blocks.push({ head, content, hash, signature, body: part.calls?.deflated ?? null });
    last = { ...last, number, hash, at };
  }
  return { blocks, chain: last };
}

function contentOf({ organizationId, calls, managed = [] }: BlockPart, at: string): BlockContent {
  return {
    id: calls?.id ?? createBlockId(),
    organizationId,
    from: calls?.from ?? at,
    to: calls?.to ?? at,
    calls: calls?.count ?? 0,
    applications: [...(calls?.applications ?? [])],
    integrations: [...(calls?.integrations ?? [])],
    people: [...(calls?.people ?? [])],
    ...(calls === undefined || calls.ended.length === 0 ? {} : { ended: [...calls.ended] }),
    managed: [...managed],
    body: calls?.hash ?? null,
  };
}
