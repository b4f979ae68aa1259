/** How each kind of secret that Gatehouse issues begins, so that secret scanners recognize it. */
export const secretPrefixes = {
  personal: 'gh_pat_',
  invitation: 'gh_inv_',
  clientSecret: 'gh_cs_',
  authorizationCode: 'gh_ac_',
  accessToken: 'gh_at_',
  refreshToken: 'gh_rt_',
  console: 'gh_con_',
} as const;
