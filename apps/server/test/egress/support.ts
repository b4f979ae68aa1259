import { onTestFinished } from 'vitest';
import { createEgress, type Egress, type EgressOptions } from '../../src/egress/egress.ts';
import type { Sender } from '../../src/egress/sender.ts';

/** Closes after the test, the last opened first. */
export function closeLater(close: () => Promise<unknown>): void {
  onTestFinished(async () => void (await close()));
}

/** An egress that may reach this machine. */
export function openEgress(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({
    publicUrl: 'https://gatehouse.example.com',
    allowedNetworks: ['127.0.0.0/8', '::1'],
    ...options,
  });
  closeLater(() => egress.close());
  return egress;
}

/** A caller without a credential, unless given. */
export function senderOf({ userId = 'user-1', token }: { userId?: string; token?: string } = {}) {
  const credential: Sender['credential'] =
    token === undefined ? [] : [['authorization', `Bearer ${token}`]];
  return { organizationId: 'organization', userId, credential };
}
