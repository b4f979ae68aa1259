// Responds to each path with the bytes recorded for it: node replay.mjs <port> <token> <recordings file>.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const [port, token, file] = process.argv.slice(2);
const recordings = new Map(
  Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(([path, text]) => [
    path,
    Buffer.from(text),
  ]),
);
const refusal = Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');

createServer({ noDelay: true }, (socket) => {
  let head = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    head += chunk.latin1Slice();
    if (!head.endsWith('\r\n\r\n')) return;
    const [, path] = /^GET (\S+) HTTP\/1\.1\r\n/.exec(head) ?? [];
    const isKnown = head.includes(`\r\nauthorization: Bearer ${token}\r\n`);
    socket.write((isKnown && recordings.get(path)) || refusal);
    head = '';
  });
}).listen(Number(port), '127.0.0.1', () => process.send('ready'));
process.once('SIGTERM', () => process.exit());
