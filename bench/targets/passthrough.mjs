// The smallest proxy that can be written with node:http: node passthrough.mjs <port> <upstream port>.
import { Agent, createServer, request } from 'node:http';

const [port, upstreamPort] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true });
const host = `127.0.0.1:${upstreamPort}`;

const server = createServer((req, res) => {
  const { method, url: path } = req;
  const headers = { ...req.headers, host };
  const upstream = request({ host: '127.0.0.1', port: upstreamPort, method, path, headers, agent });
  upstream.on('response', (response) => {
    res.writeHead(response.statusCode, response.headers);
    // An event stream's head must not wait for its first event.
    if (response.headers['content-length'] === undefined) res.flushHeaders();
    response.pipe(res);
  });
  upstream.on('error', () => res.destroy());
  res.on('close', () => {
    if (!res.writableFinished) upstream.destroy();
  });
  req.pipe(upstream);
});
server.keepAliveTimeout = 0;
server.listen(port, '127.0.0.1');
process.once('SIGTERM', () => process.exit());
