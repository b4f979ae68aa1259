/**
 * Whether users of an integration of the mode `oauth` can connect: an OAuth configuration is stored,
 * with an issuer or without one. Without one, the first authorization server that the metadata of the
 * resource names is used (RFC 9728 section 2).
 *
 * @param oauth the stored configuration, if any.
 */
export function isOauthConfigured(oauth: object | null | undefined): oauth is object {
  return oauth !== null && oauth !== undefined;
}
