import type { AuditEventKind } from '@gatehouse/sdk';

export const kindLabels: Readonly<Record<AuditEventKind, string>> = {
  management: 'Changes',
  call: 'Calls',
};
