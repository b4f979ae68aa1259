import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether a connection to the port of this machine is accepted. It is closed at once. */
export async function isListening(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host);
  const isAccepted = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isAccepted;
}
