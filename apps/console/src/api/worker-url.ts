interface UrlPolicy {
  /** A `TrustedScriptURL`, which the types of the DOM do not have yet; `new Worker` takes it like a URL. */
  createScriptURL(url: string): URL;
}

declare global {
  interface Window {
    /** Absent in browsers without Trusted Types. */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(url: string): string }): UrlPolicy;
    };
  }
}

/** The one policy that the content security policy allows. It can be made once for each page. */
const policy = window.trustedTypes?.createPolicy('gatehouse', { createScriptURL: requireOwn });

/** The URL of a worker's script as `new Worker` takes it. @throws TypeError for a script from elsewhere */
export function workerUrl(url: string): string | URL {
  return policy === undefined ? requireOwn(url) : policy.createScriptURL(url);
}

function requireOwn(url: string): string {
  const { origin, pathname } = new URL(url, location.href);
  if (origin !== location.origin || !pathname.startsWith('/console/')) {
    throw new TypeError('A worker must be a file of the console.');
  }
  return url;
}
