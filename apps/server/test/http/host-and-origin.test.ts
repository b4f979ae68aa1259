import { expect, test } from 'vitest';
import { createHostAndOrigin } from '../../src/http/host-and-origin.ts';

const check = (publicUrl: string, host: string) =>
  createHostAndOrigin({ publicUrl, allowedOrigins: [] }).check(host, undefined);

test.each([
  ['http://example.org', 'example.org'],
  ['http://example.org', 'Example.org:80'],
  ['https://example.org', 'example.org:443'],
  ['https://example.org:443', 'example.org'],
  ['https://example.org:8443', 'example.org:8443'],
  ['https://example.org', 'localhost:3000'],
])('the service at %s is available under the Host %s', (publicUrl, host) => {
  expect(() => check(publicUrl, host)).not.toThrow();
});

test.each([
  ['http://example.org', 'example.org:443'],
  ['https://example.org', 'example.org:80'],
  ['https://example.org:8443', 'example.org'],
  ['https://example.org', 'example.org.evil.example'],
])('the service at %s is not available under %s, and says where it is', (publicUrl, host) => {
  const allowed = `${new URL(publicUrl).host} (from GATEHOUSE_PUBLIC_URL), localhost`;
  expect(() => check(publicUrl, host)).toThrow(allowed);
});

const checkOrigin = (publicUrl: string, origin: string) =>
  createHostAndOrigin({ publicUrl, allowedOrigins: [] }).check(new URL(publicUrl).host, origin);

test.each([
  ['http://127.0.0.1:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000', 'http://[::1]:3000'],
  ['http://localhost', 'http://127.0.0.1'],
  ['https://[::1]:8443', 'https://localhost:8443'],
])('a service on this machine at %s accepts the origin %s', (publicUrl, origin) => {
  expect(() => checkOrigin(publicUrl, origin)).not.toThrow();
});

test.each([
  ['http://127.0.0.1:3000', 'http://localhost:3001'],
  ['http://127.0.0.1:3000', 'https://localhost:3000'],
  ['http://127.0.0.1:3000', 'http://localhost.example:3000'],
  ['https://gatehouse.example.com', 'http://localhost:3000'],
  ['http://10.0.0.5:3000', 'http://localhost:3000'],
])('a service at %s does not accept the origin %s', (publicUrl, origin) => {
  expect(() => checkOrigin(publicUrl, origin)).toThrow('web origin');
});
