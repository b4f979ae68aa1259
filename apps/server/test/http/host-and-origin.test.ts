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
])('the service at %s is not under %s, and says where it is', (publicUrl, host) => {
  const allowed = `${new URL(publicUrl).host} (from GATEHOUSE_PUBLIC_URL), localhost`;
  expect(() => check(publicUrl, host)).toThrow(allowed);
});
