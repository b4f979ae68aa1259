import { type Contract, type Installation, installationSettings } from '@gatehouse/contract';
import type { Operations } from '../http/operation.ts';
import type { NodeRow } from '../state/rows.ts';

/** Milliseconds. */
const DAY = 86_400_000;

/** One of many nodes on PostgreSQL: nothing about this process is true of a Gatehouse. */
export const installation: Operations<Contract['installation']> = {
  get: {
    act({ state, publicUrl }) {
      const [answering, ...others] = state.nodes.values();
      if (!answering) throw new Error('The mock Gatehouse has no node.');
      const body: Installation = {
        versions: { gatehouse: answering.version, build: null, node: '22.12.0' },
        publicUrl,
        logLevel: 'info',
        store: { kind: 'postgresql', version: '17.2' },
        nodes: [presentNode(answering, true), ...others.map((node) => presentNode(node, false))],
        keys: {
          source: 'environment',
          encryption: [{ id: 'mock', active: true, addedAt: answering.createdAt }],
        },
        signIn: { ways: ['password', 'link'], issuer: null, groupsClaim: false },
        limits: [
          { name: 'managementRequests', value: 600, unit: 'requests_per_minute' },
          { name: 'sessionActive', value: 300_000, unit: 'milliseconds' },
          { name: 'sessionLegacy', value: 86_400_000, unit: 'milliseconds' },
          { name: 'sessionModern', value: 1_800_000, unit: 'milliseconds' },
          { name: 'auditCalls', value: 90 * DAY, unit: 'milliseconds' },
          { name: 'auditChanges', value: 365 * DAY, unit: 'milliseconds' },
          { name: 'usage', value: 400 * DAY, unit: 'milliseconds' },
        ],
        settings: installationSettings('environment'),
      };
      return { status: 200, body: { installation: body } };
    },
  },
};

function presentNode(
  { id, name, version, createdAt: startedAt }: NodeRow,
  answering: boolean,
): Installation['nodes'][number] {
  return { id, name, version, startedAt, lastSeenAt: new Date().toISOString(), answering };
}
