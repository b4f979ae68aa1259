import { built, onPostgresql, serverTest } from '../places.mjs';

const behindNginx = (name) =>
  serverTest('deploy/proxies.test.ts', `two nodes behind nginx > ${name}`, {
    ...built,
    ...onPostgresql,
  });
const NGINX = 'deploy/nginx/gatehouse.conf';

export const deployPatches = [
  {
    name: 'deploy-nginx-buffers',
    means: 'Events of an upstream reach the client when the stream ends, or when 4 kB have come.',
    file: NGINX,
    search: 'proxy_buffering off;',
    replace: 'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;',
    test: behindNginx('stream event by event, each before the next is sent, for POST'),
  },
  {
    name: 'deploy-nginx-believes-addresses',
    means: 'A client that guesses tokens is never stopped: it says that it is another one.',
    file: NGINX,
    search: 'X-Forwarded-For $remote_addr;',
    replace: 'X-Forwarded-For $http_x_forwarded_for;',
    test: behindNginx('know the address of the client, whatever it claims'),
  },
  {
    name: 'deploy-nginx-small-bodies',
    means: 'A call with a large file is refused by the proxy.',
    file: NGINX,
    search: 'client_max_body_size 16m;',
    replace: 'client_max_body_size 1m;',
    test: behindNginx('take bodies of 16 MiB at the gateway, and no larger ones'),
  },
  {
    name: 'doctor-overlooks-buffers',
    means: 'The operator is told that the proxy is in order, and MCP clients wait for ever.',
    file: 'apps/server/src/commands/outside/streams.ts',
    search: '- first >= PAUSE',
    replace: '- first >= 0',
    test: behindNginx('keep events back with another configuration, as doctor sees'),
  },
  {
    name: 'deploy-unit-with-capabilities',
    means: 'Who takes over the server has rights of the machine.',
    file: 'deploy/systemd/gatehouse@.service',
    search: 'CapabilityBoundingSet=\n',
    replace: '',
    test: serverTest(
      'deploy/systemd.test.ts',
      'the systemd unit > exposes little of the machine, as systemd counts it',
    ),
  },
  {
    name: 'deploy-image-as-root',
    means: 'The server is root in its container.',
    file: 'deploy/Dockerfile',
    search: 'USER 10001:10001',
    replace: 'USER 0:0',
    test: serverTest(
      'deploy/image.test.ts',
      'the image > starts node itself, as a user with a number',
    ),
  },
  {
    name: 'deploy-ready-too-early',
    means: 'A node that cannot reach the database gets calls, and they fail.',
    file: 'deploy/kubernetes/gatehouse.yaml',
    search: 'httpGet: { path: /readyz, port: http }',
    replace: 'httpGet: { path: /healthz, port: http }',
    test: serverTest(
      'deploy/kubernetes.test.ts',
      'the Kubernetes manifests > send calls by readyz, and restart by healthz alone',
    ),
  },
  {
    name: 'deploy-secret-with-line-break',
    means: 'A secret in a file, as every editor writes it, is not the secret.',
    file: 'apps/server/src/platform/config/secret-file.ts',
    search: 'readStart(path).trim()',
    replace: 'readStart(path)',
    test: serverTest(
      'platform/config/secret-file.test.ts',
      'a secret in a file > is read without the line break at its end',
    ),
  },
  {
    name: 'deploy-artefact-of-developers',
    means: 'The artefact is ten times as large, with compilers and test tools.',
    file: 'scripts/lib/artefact.mjs',
    search: "'--prod', ",
    replace: '',
    test: serverTest(
      'deploy/artefact.test.ts',
      'the artefact > has what the server needs to run, and nothing that only its developers need',
    ),
  },
];
