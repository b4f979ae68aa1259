import type { Place } from './gatehouse.ts';
import type { Model } from './model/start-model.ts';

/** What a client showed while a limit was used up, and after that. */
export interface MetLimit {
  /** Of a program with a model, what the model got. */
  readonly shown: string;
  readonly after: string;
}

interface Meeting {
  readonly place: Pick<Place, 'useUpLimit'>;
  readonly token: string;
  /** Asks the client for a tool that everyone may use. */
  readonly ask: () => Promise<string>;
}

/** Asks a client while a limit is used up, and once more. */
export async function meetLimit({ place, token, ask }: Meeting): Promise<MetLimit> {
  const free = await place.useUpLimit(token);
  const shown = await ask().finally(free);
  return { shown, after: await ask() };
}

/**
 * Uses a limit up when a program calls a tool, so that its handshake is not refused, and frees it when the model tries
 * again. If it does not, the program is asked once more.
 */
export async function meetLimitInModel(
  { place, token, ask }: Meeting,
  model: Model,
): Promise<MetLimit> {
  let free: (() => Promise<void>) | undefined;
  let shown: string | undefined;
  model.beforeCall = async (result) => {
    if (free === undefined) free = await place.useUpLimit(token);
    else if (shown === undefined) {
      shown = result ?? '';
      await free();
    }
  };
  const after = await ask().finally(() => {
    model.beforeCall = async () => undefined;
  });
  if (shown !== undefined) return { shown, after };
  await free?.();
  return { shown: after, after: await ask() };
}
