import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../src/egress/addresses.ts';

const SPECIAL = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['loopback', '127.0.0.1'],
  ['loopback beyond .1', '127.255.255.254'],
  ['private 10/8', '10.0.0.1'],
  ['private 172.16/12', '172.31.255.255'],
  ['private 192.168/16', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['metadata of Alibaba', '100.100.100.200'],
  ['link-local, metadata of AWS, GCP and Azure', '169.254.169.254'],
  ['metadata of ECS tasks', '169.254.170.2'],
  ['metadata of Oracle', '192.0.0.192'],
  ['platform of Azure', '168.63.129.16'],
  ['documentation', '192.0.2.1'],
  ['benchmarking', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 unspecified', '::'],
  ['IPv6 loopback', '::1'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped private, in hexadecimal', '::ffff:a00:1'],
  ['IPv4-mapped Azure platform', '::ffff:168.63.129.16'],
  ['IPv4-compatible loopback', '::7f00:1'],
  ['IPv4-compatible public', '::808:808'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['local-use NAT64', '64:ff9b:1::a00:1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['unique local', 'fc00::1'],
  ['metadata of AWS over IPv6', 'fd00:ec2::254'],
  ['link-local IPv6', 'fe80::1'],
  ['link-local IPv6 with a zone', 'fe80::1%lo'],
  ['site-local', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['IPv6 documentation', '2001:db8::1'],
  ['IPv6 documentation, newer', '3fff::1'],
  ['discard', '100::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['segment routing', '5f00::1'],
  ['unassigned IPv6 space', '4000::1'],
  ['no address', 'example.com'],
  ['nothing', ''],
] as const;

describe('the address policy', () => {
  it.each(SPECIAL)('refuses %s (%s)', (_, address) => {
    expect(createAddressPolicy([]).isAllowed(address)).toBe(false);
  });

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '::ffff:8.8.8.8', '2606:4700:4700::1111'])(
    'allows the public address %s without listing it',
    (address) => {
      const policy = createAddressPolicy([]);
      expect(policy.isAllowed(address)).toBe(true);
      expect(policy.isListed(address)).toBe(false);
    },
  );

  it('allows exactly the listed networks beside the public ones', () => {
    const policy = createAddressPolicy(['10.1.0.0/16', 'fd00::/8', '127.0.0.1']);
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '127.0.0.1']) {
      expect(policy.isAllowed(address)).toBe(true);
      expect(policy.isListed(address)).toBe(true);
    }
    for (const address of ['10.2.0.1', '127.0.0.2', '::1', '169.254.169.254', 'fe80::1']) {
      expect(policy.isAllowed(address)).toBe(false);
    }
  });

  it('reads a network of IPv4-mapped addresses as the IPv4 network', () => {
    const policy = createAddressPolicy(['::ffff:10.0.0.0/104']);
    expect(policy.isAllowed('10.9.9.9')).toBe(true);
    expect(policy.isAllowed('11.0.0.1') && policy.isListed('11.0.0.1')).toBe(false);
  });

  it.each(['', 'localhost', '10.0.0.0/33', '10.0.0/8/8', '*'])(
    'does not accept %j as a network',
    (text) => {
      expect(() => createAddressPolicy([text])).toThrow(TypeError);
    },
  );
});
