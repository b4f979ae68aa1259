import { type Hand, keyboard, mouse } from '@gatehouse/harness';
import { testDatabaseKind } from '../../support/database.ts';

/** The stories run twice, on each store: once by mouse, and once by keyboard alone, which does not rest on the store. */
export const hand: Hand = testDatabaseKind === 'pglite' ? keyboard : mouse;

export const { press, type } = hand;
