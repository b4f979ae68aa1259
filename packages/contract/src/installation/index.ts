export {
  type Installation,
  type InstallationKey,
  type InstallationLimit,
  installationResponseSchema,
  installationSchema,
  type KeySource,
} from './installation.schema.ts';
