// The smallest proxy that can be written with node:http: node passthrough.mjs <port> <upstream port> [certificate].
// With the certificate of the upstream, it is reached by https.
import { readFileSync } from 'node:fs';
import http, { createServer } from 'node:http';
import https from 'node:https';

const [port, upstreamPort] = process.argv.slice(2, 4).map(Number);
const certificate = process.argv[4];
const { Agent, request } = certificate === undefined ? http : https;
const ca = certificate === undefined ? undefined : readFileSync(certificate);
const agent = new Agent({ keepAlive: true, ca });
const hostname = certificate === undefined ? '127.0.0.1' : 'localhost';
const host = `${hostname}:${upstreamPort}`;

const server = createServer((req, res) => {
  const { method, url: path } = req;
  const headers = { ...req.headers, host };
  const upstream = request({ host: hostname, port: upstreamPort, method, path, headers, agent });
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
