// TLS in front of another port: node tls-front.mjs <port> <target port> <folder of localhost.key.pem and localhost.cert.pem>.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer } from 'node:tls';

const [port, target, folder] = process.argv.slice(2);
const read = (name) => readFileSync(`${folder}/localhost.${name}.pem`);

const server = createServer({ key: read('key'), cert: read('cert') }, (socket) => {
  const inner = connect({ port: Number(target), host: '127.0.0.1', noDelay: true });
  socket.setNoDelay(true).pipe(inner).pipe(socket);
  socket.on('error', () => inner.destroy());
  inner.on('error', () => socket.destroy());
});
server.listen(Number(port), '127.0.0.1', () => process.send('ready'));
process.once('SIGTERM', () => process.exit());
