import {
  type InstallationSetting,
  type KeySource,
  type SettingName,
  settingNameSchema,
} from '../installation/installation.schema.ts';

type Setting = Omit<InstallationSetting, 'name'>;

/** Where each thing that an installation shows is changed: the environment variable, and its page below `docs`. */
const settings: Readonly<Record<SettingName, Setting>> = {
  versions: { variable: null, page: 'run/upgrade' },
  publicUrl: { variable: 'GATEHOUSE_PUBLIC_URL', page: 'run/configuration#proxy' },
  logLevel: { variable: 'GATEHOUSE_LOG_LEVEL', page: 'run/logs' },
  store: { variable: 'DATABASE_URL', page: 'run/configuration#database' },
  nodes: { variable: null, page: 'run/upgrade#restart-node-by-node' },
  keys: { variable: 'GATEHOUSE_ENCRYPTION_KEYS', page: 'run/keys' },
  passwordSignIn: {
    variable: 'GATEHOUSE_PASSWORD_SIGN_IN',
    page: 'run/sign-in#the-provider-alone',
  },
  provider: {
    variable: 'GATEHOUSE_OIDC_ISSUER',
    page: 'run/sign-in#an-openid-connect-provider',
  },
  groupsClaim: {
    variable: 'GATEHOUSE_OIDC_GROUPS_CLAIM',
    page: 'run/sign-in#groups-from-the-provider',
  },
  managementRequests: { variable: 'GATEHOUSE_RATE_LIMIT', page: 'run/limits' },
  sessionActive: {
    variable: 'GATEHOUSE_SESSION_ACTIVE_WINDOW',
    page: 'run/configuration',
  },
  sessionLegacy: {
    variable: 'GATEHOUSE_SESSION_LEGACY_TTL',
    page: 'run/configuration',
  },
  sessionModern: {
    variable: 'GATEHOUSE_SESSION_MODERN_TTL',
    page: 'run/configuration',
  },
  auditCalls: { variable: 'GATEHOUSE_AUDIT_CALL_DAYS', page: 'run/audit#how-long-it-is-kept' },
  auditChanges: {
    variable: 'GATEHOUSE_AUDIT_CHANGE_DAYS',
    page: 'run/audit#how-long-it-is-kept',
  },
  usage: { variable: 'GATEHOUSE_USAGE_DAYS', page: 'run/usage#how-long-it-is-kept' },
};

/** Keys in the file of a data directory are replaced by the command, without a variable. */
export function installationSettings(keySource: KeySource): InstallationSetting[] {
  return settingNameSchema.options.map((name) => {
    const { variable, page } = settings[name];
    const hasVariable = name !== 'keys' || keySource === 'environment';
    return { name, variable: hasVariable ? variable : null, page };
  });
}
