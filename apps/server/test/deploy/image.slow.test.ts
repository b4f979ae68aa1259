import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fileVariable } from '../../src/platform/config/secret-file.ts';
import { SETTINGS } from '../../src/platform/config/settings.ts';
import { deployFile } from './support/deploy-file.ts';

const dockerfile = readFileSync(deployFile('Dockerfile'), 'utf8');
const compose = parse(readFileSync(deployFile('compose.yaml'), 'utf8'), { merge: true });

describe('the image', () => {
  test('is built on an image that its digest names', () => {
    expect(dockerfile).toMatch(/^ARG NODE=node:24\.[\w.-]+@sha256:[0-9a-f]{64}$/m);
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    for (const base of bases) expect(base).toBe('$'.concat('{NODE}'));
  });

  test('starts node itself, as a user with a number', () => {
    expect(dockerfile).toMatch(/^USER [1-9]\d+:[1-9]\d+$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "[^"]+\/dist\/main\.js"\]$/m);
    expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(dockerfile).not.toMatch(/^(CMD|ENTRYPOINT|HEALTHCHECK .* CMD) [^["]/m);
  });

  test('takes no secret into a layer', () => {
    const names = Object.values(SETTINGS).flatMap(({ name, isSecret }) => (isSecret ? [name] : []));
    for (const name of names) expect(dockerfile).not.toContain(name);
    const ignored = readFileSync(deployFile('Dockerfile.dockerignore'), 'utf8').split('\n');
    expect(ignored.filter((line) => line !== '' && !line.startsWith('#'))[0]).toBe('*');
    expect(ignored).not.toContain('!deploy');
    for (const path of ignored.filter((line) => line.startsWith('!'))) {
      expect(existsSync(deployFile(`../${path.slice(1)}`)), path).toBe(true);
    }
  });
});

test('git ignores the folder of secrets that the deployment page says to make', () => {
  const page = readFileSync(deployFile('../docs/run/deploy.md'), 'utf8');
  expect(page).toContain('mkdir -m 700 deploy/secrets');
  const ignored = readFileSync(deployFile('../.gitignore'), 'utf8').split('\n');
  expect(ignored).toContain('deploy/secrets/');
});

describe('the compose file', () => {
  const nodes = ['gatehouse-1', 'gatehouse-2'].map((name) => compose.services[name]);

  test('runs two nodes without rights, on a read-only root', () => {
    for (const node of nodes) {
      expect(node).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        stop_grace_period: '45s',
      });
    }
  });

  test('has settings that the server knows, and secrets from files alone', () => {
    const known = Object.values(SETTINGS).map(({ name, isSecret }) =>
      isSecret ? fileVariable(name) : name,
    );
    for (const node of nodes) {
      expect(known).toEqual(expect.arrayContaining(Object.keys(node.environment)));
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(node.secrets));
    }
    expect(compose.services.database.environment).not.toHaveProperty('POSTGRES_PASSWORD');
  });
});
