import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A balancer of TCP connections without affinity: each new one goes to the next node that takes it. */
export interface Balancer {
  readonly origin: string;
  /** Nodes of this machine, in turn. */
  setPorts(ports: readonly number[]): void;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  let ports: readonly number[] = [];
  let turn = 0;
  const open = new Set<Socket>();

  const lead = (client: Socket, [port, ...others]: readonly number[]): void => {
    if (port === undefined || client.destroyed) return void client.destroy();
    const node = connect({ port, host: '127.0.0.1' });
    const refuse = (): void => lead(client, others);
    node.once('error', refuse);
    node.once('connect', () => {
      node.off('error', refuse);
      open.add(node);
      join(client, node);
      node.once('close', () => open.delete(node));
    });
  };
  const server = createServer({ allowHalfOpen: false, pauseOnConnect: true }, (client) => {
    client.on('error', () => undefined);
    const first = turn++ % ports.length;
    lead(client, [...ports.slice(first), ...ports.slice(0, first)]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setPorts(next) {
      ports = next;
    },
    async close() {
      for (const node of open) node.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Each end is passed on, after what was sent before it. */
function join(client: Socket, node: Socket): void {
  node.setNoDelay(true);
  client.setNoDelay(true);
  node.on('error', () => client.destroy());
  node.once('close', () => client.destroySoon());
  client.once('close', () => node.destroy());
  client.pipe(node);
  node.pipe(client);
}
