import { sendRequest } from '../control/send-request.ts';

/** No server runs in the data directory. */
export class NobodyListens extends Error {
  override readonly name = 'NobodyListens';
}

/** Has the running server copy its database into a folder of the data directory. Rejects with NobodyListens. */
export function copyServed(dataDir: string): (folder: string) => Promise<void> {
  return async (folder) => {
    const reply = await sendRequest(dataDir, 'copy-database', { folder });
    if (reply === undefined) throw new NobodyListens();
  };
}
