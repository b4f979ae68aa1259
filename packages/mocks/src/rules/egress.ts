import { isOnOwnHost, OWN_HOST_DENIED } from '@gatehouse/contract';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../http/refusal.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Which literal addresses the URL of a proxied integration may contain. */
export interface AddressPolicy {
  /** @throws Refusal `egress_denied` at `/url` */
  checkUrl(url: string, carriesCredentials: boolean): void;
}

const LOCAL_NAME = /^(?:.+\.)?(?:localhost|localhost\.localdomain)$|^ip6-(?:localhost|loopback)$/;
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** The platform service of Azure, which ipaddr.js counts as an ordinary public address. */
const AZURE_PLATFORM = '168.63.129.16';

/** @param allowedNetworks CIDRs, as in `GATEHOUSE_ALLOWED_NETWORKS`. */
export function createAddressPolicy(
  allowedNetworks: readonly string[],
  publicUrl: string,
): AddressPolicy {
  const networks = allowedNetworks.map((text) => ipaddr.parseCIDR(text));
  const isListed = (address: Address) =>
    networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  const checkAddress = (url: string, carriesCredentials: boolean): void => {
    const { hostname, protocol } = new URL(url);
    const addresses = addressesOf(hostname);
    if (addresses.length === 0) return;
    if (!addresses.some((address) => isPublic(address) || isListed(address))) {
      throw denied(
        'The URL names an address that is not public. Add its network to GATEHOUSE_ALLOWED_NETWORKS to allow it.',
      );
    }
    if (protocol === 'https:' || !carriesCredentials || addresses.some(isListed)) return;
    throw denied(
      'Credentials travel over plain http only to networks in GATEHOUSE_ALLOWED_NETWORKS. Use https.',
    );
  };
  return {
    checkUrl(url, carriesCredentials) {
      checkAddress(url, carriesCredentials);
      if (isOnOwnHost(url, publicUrl)) throw denied(OWN_HOST_DENIED);
    },
  };
}

/** The addresses of a host that are known without DNS. Empty for an ordinary name. */
function addressesOf(hostname: string): Address[] {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (ipaddr.isValid(host)) return [ipaddr.process(host)];
  return LOCAL_NAME.test(host) ? [ipaddr.parse('127.0.0.1'), ipaddr.parse('::1')] : [];
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST_V6);
  return address.toString() !== AZURE_PLATFORM;
}

function denied(detail: string): Refusal {
  const code = 'egress_denied';
  return new Refusal(code, detail, { errors: [{ pointer: '/url', code, message: detail }] });
}
