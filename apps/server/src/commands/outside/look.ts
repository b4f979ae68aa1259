import type { Finding } from '../findings.ts';
import { checkCertificate } from './certificate.ts';
import { checkHealth, checkReachable } from './health.ts';
import { checkMetadata } from './metadata.ts';
import { checkRequests } from './requests.ts';
import { openSite } from './site.ts';

export interface LookOptions {
  /** Also what clients are told, and what a proxy lets pass. */
  readonly isWhole: boolean;
  /** Whether a server should answer. */
  readonly isServing: boolean;
  readonly token?: string | undefined;
}

/** What is found at the public URL of a service, by requests as its clients send them. */
export async function lookFromOutside(
  origin: string,
  { isWhole, isServing, token }: LookOptions,
): Promise<Finding[]> {
  const site = openSite(origin);
  try {
    const unreachable = await checkReachable(site, isServing);
    if (unreachable !== undefined) return unreachable;
    return [
      await checkCertificate(origin),
      ...(await checkHealth(site)),
      ...(await checkMetadata(site)),
      ...(isWhole ? await checkRequests(site, token) : []),
    ];
  } finally {
    await site.close();
  }
}
