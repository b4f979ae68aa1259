import { ids } from './resources.ts';

const nothing = { total: 0, items: [] };

export const overview = {
  firstCallAt: '2026-11-20T16:21:40.102Z',
  integrations: { total: 12, valid: 11 },
  applications: { total: 5, inUse: 2 },
  sessions: { active: 3, total: 214 },
  connections: 4,
  attention: {
    invalidIntegrations: nothing,
    connections: {
      total: 1,
      items: [
        { integrationId: ids.integration, name: 'Issue tracker', reason: 'rejected_upstream' },
      ],
    },
    certificates: nothing,
    tokens: nothing,
    changedTools: nothing,
  },
};
