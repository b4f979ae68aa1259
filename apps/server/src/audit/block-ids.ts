import { createId } from '../platform/ids.ts';

/** How many events one block can hold: their numbers are the last 16 bits of their ids. */
export const MAX_CALLS = 0x10000;

/** A UUIDv7 that ends with 16 zero bits, which its call events count up. */
export function createBlockId(): string {
  return `${createId().id.slice(0, -4)}0000`;
}

/** The id of a block's call event at this index, from 0. */
export function callIdOf(blockId: string, index: number): string {
  return `${blockId.slice(0, -4)}${index.toString(16).padStart(4, '0')}`;
}

/** The block and the index of a call event. */
export function blockOfCall(eventId: string): { readonly blockId: string; readonly index: number } {
  return {
    blockId: `${eventId.slice(0, -4)}0000`,
    index: Number.parseInt(eventId.slice(-4), 16),
  };
}
