import { startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import { createCredentials } from '../../../src/credentials/credentials.ts';
import type { ProbeResult } from '../../../src/credentials/probe/probe-result.ts';
import { createProber } from '../../../src/credentials/probe/prober.ts';
import { validateAfterConnecting } from '../../../src/resources/integrations/validate-after-connecting.ts';
import { createTestOrganization, vault } from '../../credentials/fixtures.ts';
import { noRefresher } from '../../credentials/no-refresher.ts';
import { noEras } from '../../credentials/probe/support.ts';
import { closeLater, openEgress } from '../../egress/support.ts';
import { useStore } from '../../support/store.ts';
import { use } from '../../support/use.ts';

const TOKEN = 'token-of-this-test';
const store = useStore();
const upstream = use(() => startUpstream({ requireBearer: TOKEN }));
const organization = use(async () => ({
  ...(await createTestOrganization(store)),
  close: async () => undefined,
}));

const onError = (error: unknown) => {
  throw error;
};

async function connected(token: string) {
  const target = await organization.addIntegration({ url: upstream.url, authMode: 'user_token' });
  await organization.connect(target, { token });
  const credentials = createCredentials({ store, vault, refresher: noRefresher });
  closeLater(() => credentials.close());
  const publicUrl = 'https://gatehouse.example.com';
  const prober = createProber({
    credentials,
    egress: openEgress(),
    publicUrl,
    eras: noEras,
    noteLists: () => Promise.resolve(),
  });
  const { integrationId: id } = target;
  return { id, prober, read: () => store.db.integration.findUniqueOrThrow({ where: { id } }) };
}

describe('an integration that was never validated is validated when a person connects', () => {
  it('and becomes valid with their credential', async () => {
    const { id, prober, read } = await connected(TOKEN);
    await validateAfterConnecting({ store, prober, onError }, organization, id);
    await expect.poll(read).toMatchObject({ validationStatus: 'valid' });
    const [row, ...more] = await store.db.auditEvent.findMany({ where: { concerns: { has: id } } });
    expect(JSON.parse(row?.event ?? '')).toMatchObject({
      action: 'integration.validated',
      actor: { kind: 'service', via: { id: 'validation' } },
      details: { status: 'valid' },
    });
    expect(more).toEqual([]);
  });

  it('and stays as it is when only theirs is refused', async () => {
    const { id, prober, read } = await connected('wrong');
    await validateAfterConnecting({ store, prober, onError }, organization, id);
    expect(await read()).toMatchObject({ validationStatus: 'pending', lastValidatedAt: null });
  });

  it('but not one that was validated already', async () => {
    const { id, read } = await connected(TOKEN);
    await store.db.integration.update({ where: { id }, data: { validationStatus: 'invalid' } });
    const prober = { probe: () => Promise.reject(new Error('Nothing is to be probed.')) };
    await validateAfterConnecting({ store, prober, onError }, organization, id);
    expect(await read()).toMatchObject({ validationStatus: 'invalid' });
  });

  it('without keeping the browser waiting for a slow server', async () => {
    const { id } = await connected(TOKEN);
    const prober = { probe: () => new Promise<ProbeResult>(() => undefined) };
    await validateAfterConnecting({ store, prober, onError }, organization, id);
  });
});
