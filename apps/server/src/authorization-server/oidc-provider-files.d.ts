/** Their contents are described by the types of the package's index. */
declare module 'oidc-provider/lib/*';
