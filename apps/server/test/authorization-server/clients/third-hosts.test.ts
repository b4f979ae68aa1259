import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createMetadataDocuments } from '../../../src/authorization-server/clients/dynamic/metadata-document.ts';
import { closeLater, openEgress } from '../../egress/support.ts';

/** A server that has to do with no client here: it hangs up. */
async function startThirdHost() {
  const seen = { connections: 0 };
  const host = createServer((socket) => {
    seen.connections += 1;
    socket.on('error', () => {}).destroy();
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  closeLater(async () => void host.close());
  return { port: (host.address() as AddressInfo).port, seen };
}

it('strangers from many networks, with a name for each request, reach a third host 30 times a minute', async () => {
  const { port, seen } = await startThirdHost();
  const egress = openEgress({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  const { find } = createMetadataDocuments(egress, async () => {});
  for (let i = 0; i < 200; i += 1) {
    const found = await find(`https://name-${i}.evil.example:${port}/client`, `10.0.${i}.1`);
    expect(found).toBe('unknown');
  }
  expect(seen.connections).toBe(30);
});
