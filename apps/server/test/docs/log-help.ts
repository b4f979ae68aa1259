/** What the page of the log says of each line, by its message. A new line needs an entry. */
export interface LogHelp {
  /** What has happened, and what to do. Markdown. */
  readonly means: string;
  /** Fields that are made elsewhere than where the line is. */
  readonly alsoHas?: readonly string[];
}

/** Stands for messages that are made at run time. */
export const OTHER_MESSAGES = 'The embedded database can no longer be written …';

export const LOG_HELP: Readonly<Record<string, LogHelp>> = {
  listening: {
    means:
      'The server has started. `commit` and `committedAt` say what the version was built of, where that is known.',
    alsoHas: ['version', 'node', 'commit', 'committedAt'],
  },
  'shutting down': { means: 'The first SIGTERM or SIGINT has come.' },
  'shut down': {
    means:
      'The process ends. `isComplete` is false when an earlier line names a step that was not done.',
  },
  'not ended in time': {
    means: 'A step of the shutdown has taken more than `within` milliseconds, and is given up.',
  },
  'not ended in order': { means: 'A step of the shutdown has failed.' },
  request: {
    means: 'A request that is no gateway call has been answered, see [requests](#requests).',
  },
  call: {
    means:
      'A gateway call has ended, see [calls](#calls). At `debug` all or some of them, at `info` those that were refused with 401 or 429.',
  },
  'refused by policy': {
    means:
      '[Rules](policy.md) have refused a call, ended one that was open, or refused a credential: one line for each request. `reasons` says which rules; change them if it should be allowed.',
  },
  'audit head': {
    means:
      'The last block of the audit that this process has written, once a minute and at its end. Keep these lines elsewhere, see [what a file cannot show](audit.md#what-a-file-cannot-show).',
  },
  'audit event': {
    means:
      'Something of the [audit](audit.md) has happened. Only with `GATEHOUSE_AUDIT_LOG=on`. Of a change the names of the fields alone.',
  },
  'audit verified': {
    means:
      'The whole audit has been read, and nothing is missing or changed, see [the daily verification](audit.md#the-daily-verification).',
  },
  'audit not verified': {
    means:
      'Something of the audit is missing or changed, see [what to do](alerts.md#gatehouseauditnotverified).',
  },
  'a response was cut off': {
    means:
      'An export of the audit could not be read to its end. The client sees a file without its last line.',
  },
  'management event': {
    means: 'A write has been committed, see [what happened](#what-happened).',
  },
  'other users have rights in the data directory': {
    means:
      '`entries` files or folders of the data directory at `path` belong to another user, so the server cannot close them to others. Give them to the user of the server: `chown -R`.',
  },
  'the server has no such setting': {
    means: 'A variable begins with `GATEHOUSE_` but is not a setting. Correct its name.',
  },
  'connections are refused: there are as many as the server holds': {
    means: 'Logged once. Add a node, or find the client that opens too many.',
  },
  'no file descriptors are left: raise the limit of open files': {
    means: 'Logged once. Let the process open 24,000 files.',
  },
  'traces and metrics are sent as http/protobuf': {
    means:
      'The variable asks for another protocol. The collector must take this one, mostly at port 4318.',
  },
  'traces or metrics were not taken by their collector': {
    means: 'Logged once. The collector is away, or refuses. Calls do not depend on it.',
  },
  'the database is away': {
    means:
      'PostgreSQL cannot be used: `reason` says why in words, and `code` is that of the driver. Lines of what fails meanwhile are left out, except during the shutdown. Requests get 503.',
  },
  'the database is back': {
    means:
      'The outage that the line before names is over, after `ms`. `leftOut` lines were left out.',
  },
  'the owner has no token yet: run gatehouse sign-in-link or gatehouse token create': {
    means:
      'The first start has made the owner, and no secret. See [recovery](recovery.md#the-first-start-showed-no-token-or-its-token-was-lost).',
  },
  'the keys of this node were not announced': {
    means:
      'The database did not take the row of this node. After a minute the others take it for gone.',
  },
  'nodes do not share their keys': {
    means:
      'A running node seals with a key that another one lacks. [Replace keys](keys.md) in their order.',
  },
  'stored values need an encryption key that is not loaded': {
    means: 'Logged once for each key. Load it; nobody needs to enter a credential again.',
  },
  'a stored credential does not open': {
    means:
      'Logged once for each row. With `key_not_loaded` load the key; with `decryption_failed` the row is damaged.',
  },
  'background write failed': {
    means: 'Something that is written later has failed. It is tried again, until the process ends.',
  },
  'gateway call failed': { means: 'A defect of Gatehouse. Report it with the line.' },
  'request failed': { means: 'A defect of Gatehouse. Report it with the line.' },
  'authorization failed': {
    means: 'The authorization server has failed on its own side. Report it with the line.',
  },
  'upstream sent a message that was not asked for': {
    means:
      'An MCP server has sent a response or progress of a request that this call does not carry, or a message that clients may read differently, as `dropped` says. It was not passed on. One line for each call; `gatehouse_gateway_dropped_messages_total` counts all. Either the server has an error, or it tries to answer in the place of another one: look at it before anybody uses it again.',
  },
  'upstream failed': {
    means: 'An MCP server was not reached, or broke the connection. Validate the integration.',
  },
  'credential not renewed': {
    means: 'Another credential was looked for, and that failed. The call is refused.',
  },
  'call not counted in a session': {
    means: 'The database did not take a session. The call itself went on.',
  },
  'a stream could not be followed': {
    means:
      'The database did not answer, or the stream of an integration could not be opened, for a client of an application’s one URL. Its stream stays open.',
  },
  'lists could not be announced': {
    means:
      'The database did not answer. Until it does, other nodes list for half a minute what an integration offered before.',
  },
  'an answer of a client could not be taken': {
    means:
      'A client has answered a question of an integration on another node, and the database did not give out the answer. It is asked again in a moment.',
  },
  'cancelled requests were not announced': {
    means:
      'The database did not answer. Requests that clients have cancelled on another node than the one that has them go on.',
  },
  'unused sessions could not be ended': {
    means:
      'The database did not answer. Sessions in which only the lists of an application’s one URL were read end a little later.',
  },
  'open calls could not be admitted again': {
    means: 'The database did not answer. Calls that are open are checked again in a moment.',
  },
  'lacking scopes not noted': {
    means:
      'The database did not take the scopes that an MCP server asks for. The next call notes them.',
  },
  'an account was not connected': {
    means:
      'A person came back from a provider without success. `code` says why; `error` and `detail` are what the provider said, or what does not hold in its ID token.',
    alsoHas: ['error', 'detail'],
  },
  'tokens were not refreshed': {
    means:
      'A provider refused to refresh an account. `code` says why; `error` and `detail` are what the provider said. At most five lines a minute for each integration; the metric counts all.',
    alsoHas: ['error', 'detail'],
  },
  'a provider cannot be used': {
    means: 'A person could not be sent to a provider. Validate the integration.',
  },
  'the OpenID provider cannot be used': {
    means: 'Nobody can be sent to the provider of sign-in. Compare the settings.',
    alsoHas: ['failure', 'error', 'code'],
  },
  'the OpenID provider left the groups of a person out, because they are too many: let it put only the groups assigned to the application into the ID token':
    {
      means:
        'The person keeps the groups they had. See [groups](sign-in.md#groups-from-the-provider).',
    },
  'a person was not put into groups that are full': {
    means:
      'The provider names these groups for the person who signs in, and they have 10,000 members. Let several smaller groups take the place of each.',
  },
  'a sign-in at the OpenID provider failed': {
    means: 'A person came back without success. See [sign-in](sign-in.md#when-it-does-not-work).',
    alsoHas: ['failure', 'error', 'code'],
  },
  'the path of GATEHOUSE_DATA_DIR is too long for a socket: commands such as sign-in-link will not work':
    { means: 'Use a shorter path.' },
  'no socket can be made in GATEHOUSE_DATA_DIR: commands such as sign-in-link will not work': {
    means: 'Let the server write to its data directory.',
  },
  'a command failed': { means: 'A command that runs in this server has met a defect. Report it.' },
  'the control socket failed': { means: 'Commands may not work until a restart.' },
  'the process is not watched: if it hangs, nothing ends it': {
    means: 'The worker that watches the process has ended. Restart when it suits.',
  },
  [OTHER_MESSAGES]: {
    means:
      'The disk is full or fails; or, with the reason `lock_lost`, the data directory was moved or a file removed by which it is locked. The process ends within a second, and nothing that was acknowledged is lost. The message says what to do.',
  },
};
