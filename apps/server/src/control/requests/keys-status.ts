import { z } from 'zod';
import { type KeyReport, keyReport } from '../keys/key-report.ts';
import { reportKeys } from '../keys/report-keys.ts';
import type { ControlRequest } from '../request.ts';

const input = z.strictObject({});

export const keysStatusRequest: ControlRequest<z.infer<typeof input>, KeyReport> = {
  input,
  reply: keyReport,
  run: ({ store, keys }) => reportKeys(store.db, keys),
};
