import {
  type Config,
  ConfigError,
  loadConfig,
  unknownVariables,
} from '../../platform/config/config.ts';
import type { CommandContext } from '../definition.ts';
import { error, type Finding, ok, warning } from '../findings.ts';

/** The oldest versions of Node that run the service. */
const NODE = { major: 20, minor: 19 };

/** The configuration, if it is valid, and findings about it. */
export function checkConfiguration(environment: CommandContext['environment']): {
  readonly config: Config | undefined;
  readonly findings: Finding[];
} {
  const unknown = unknownVariables(environment).map((name) =>
    warning(
      'configuration',
      `The server has no setting ${name}.`,
      'Check its spelling: gatehouse serve --help lists the settings.',
    ),
  );
  try {
    const config = loadConfig(environment);
    const found = ok('configuration', 'Every setting has a value that the server takes.');
    return { config, findings: [found, ...unknown, checkNode()] };
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    const wrong = cause.message
      .split('\n')
      .map((line) => error('configuration', line, 'Correct this setting.'));
    return { config: undefined, findings: [...wrong, ...unknown, checkNode()] };
  }
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > NODE.major || (major === NODE.major && minor >= NODE.minor);
  return isNewEnough
    ? ok('Node', `The version is ${process.versions.node}.`)
    : error(
        'Node',
        `The version is ${process.versions.node}.`,
        `Use Node ${NODE.major}.${NODE.minor} or later.`,
      );
}
