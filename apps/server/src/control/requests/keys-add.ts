import { z } from 'zod';
import { createKey, textOfKey } from '../../vault/key-file.ts';
import type { ControlRequest } from '../request.ts';

const input = z.strictObject({});
const reply = z.object({
  id: z.string(),
  /** `id:base64`, where the operator is to add it; absent where it was added. */
  value: z.string().optional(),
});

/** Makes a key. In the key file it is readable at once; it does not seal yet. */
export const keysAddRequest: ControlRequest<z.infer<typeof input>, z.infer<typeof reply>> = {
  input,
  reply,
  async run({ keys }) {
    const key = createKey();
    if (keys.change === undefined) return { id: key.id, value: textOfKey(key) };
    await keys.change((present) => [...present, key]);
    return { id: key.id };
  },
};
