import { z } from 'zod';
import type { ControlRequest } from '../request.ts';

const input = z.strictObject({});
const reply = z.object({
  kind: z.enum(['postgresql', 'pglite']),
  /** Of PostgreSQL, such as 17.2. */
  version: z.string(),
  isReadOnly: z.boolean(),
  /** Milliseconds that the database's clock is ahead of this process's. */
  clockDifference: z.number(),
});

export const databaseStatusRequest: ControlRequest<z.infer<typeof input>, z.infer<typeof reply>> = {
  input,
  reply,
  async run({ store }) {
    const sentAt = Date.now();
    const [row] = await store.db.$queryRaw<
      { version: string; isReadOnly: boolean; now: number }[]
    >`SELECT split_part(current_setting('server_version'), ' ', 1) AS "version",
        current_setting('transaction_read_only')::boolean AS "isReadOnly",
        (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "now"`;
    const middle = (sentAt + Date.now()) / 2;
    const { version = '', isReadOnly = true, now = middle } = row ?? {};
    const clockDifference = Math.round(now - middle);
    return { kind: store.kind, version, isReadOnly, clockDifference };
  },
};
