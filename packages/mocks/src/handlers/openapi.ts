import { buildOpenApiDocument, type Contract } from '@gatehouse/contract';
import { MOCK_VERSION } from '../fixtures/seed.ts';
import type { Operations } from '../http/operation.ts';

export const openapi: Operations<Contract['openapi']> = {
  get: {
    act: ({ publicUrl }) => ({
      status: 200,
      body: buildOpenApiDocument({ serverUrl: `${publicUrl}/api/v1`, version: MOCK_VERSION }),
    }),
  },
};
