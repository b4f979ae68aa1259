const CONTAINER = 'It needs a container engine.';
const KUBERNETES = 'It needs a cluster.';
const EXAMPLE = 'It shows a setting; the blocks for systemd write the settings.';
const STORE =
  'It needs a store of secrets; apps/server/test/deploy/secrets.test.ts runs the script.';
const ROUND_TRIP =
  'The round trip between the two stores is tried by apps/server/test/process/transfer.slow.test.ts.';

/** The blocks of the operators' pages that the half hour does not run, by their first line, and why not. */
export const NOT_RUN = new Map([
  ['docker build -f deploy/Dockerfile -t gatehouse .', CONTAINER],
  ['docker run --rm --read-only --cap-drop ALL --security-opt no-new-privileges \\', CONTAINER],
  [
    'docker exec <container> node /opt/gatehouse/dist/main.js sign-in-link owner@localhost --reset-password',
    CONTAINER,
  ],
  ['docker buildx imagetools inspect node:24-bookworm-slim', CONTAINER],
  [
    'chown 10001 deploy/secrets/database-url deploy/secrets/encryption-keys deploy/secrets/bootstrap-token',
    CONTAINER,
  ],
  ['docker compose -f deploy/compose.yaml up --detach --wait --no-deps gatehouse-1', CONTAINER],
  ['kubectl create namespace gatehouse', KUBERNETES],
  [
    'kubectl -n gatehouse set image deployment/gatehouse gatehouse=registry.example.com/gatehouse:0.2.0',
    KUBERNETES,
  ],
  ['kubectl -n gatehouse rollout undo deployment/gatehouse', KUBERNETES],
  [
    'rm /etc/gatehouse/bootstrap-token',
    'The half hour goes back to a version that wants a token in the file.',
  ],
  ['export GATEHOUSE_PUBLIC_URL=https://gatehouse.example.com', EXAMPLE],
  ['export GATEHOUSE_SHUTDOWN_DELAY=3s', EXAMPLE],
  ['export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/our-authority.pem', EXAMPLE],
  [
    'install -m 644 deploy/caddy/Caddyfile /etc/caddy/Caddyfile',
    'The half hour has nginx; apps/server/test/deploy tries the file.',
  ],
  [
    'vault kv put -mount=secret gatehouse database-url=@database-url encryption-keys=@encryption-keys',
    STORE,
  ],
  ['install -m 755 deploy/systemd/gatehouse-secrets /usr/local/sbin/gatehouse-secrets', STORE],
  [
    'install -d -m 700 /etc/haproxy/tls',
    'The half hour has nginx; apps/server/test/deploy tries the file.',
  ],
  [
    'gatehouse keys retire "$OLD_ID" --now',
    'Nothing recognizes a repeated request here; apps/server/test/process/key-rotation.slow.test.ts runs it.',
  ],
  [
    'gatehouse sign-in-link owner@localhost',
    'The same command is run from the page about recovery.',
  ],
  ['gatehouse export gatehouse.export --passphrase-file passphrase', ROUND_TRIP],
  [
    'DATABASE_URL="$NEW_DATABASE_URL" gatehouse import gatehouse.export --passphrase-file passphrase --keys-to keys.env',
    ROUND_TRIP,
  ],
  [
    'DATABASE_URL="$NEW_DATABASE_URL" gatehouse export back.export --passphrase-file passphrase',
    ROUND_TRIP,
  ],
  [
    'GATEHOUSE_DATA_DIR=./moved gatehouse import back.export --passphrase-file passphrase',
    ROUND_TRIP,
  ],
  [
    'curl -X POST https://gatehouse.example.com/api/v1/members/0199…/revoke-access \\',
    'It ends the access of a member.',
  ],
]);
