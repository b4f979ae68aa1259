/** What a client's command line is made of. */
export interface Setting {
  /** The gateway's. */
  readonly url: string;
  readonly token: string;
  /** The origin of a model's API. */
  readonly model: string;
}

/** A call that a person wants. */
export interface ToolCall {
  readonly tool: string;
  /** What of its name stays where a client changes names. */
  readonly part: string;
  readonly args?: Readonly<Record<string, string>>;
}

/** A client of others. */
interface Named {
  readonly name: string;
  /** The npm package that has its version. */
  readonly package: string;
}

/** A file of `libraries`, which stays in touch with its server while it is asked again and again. */
export interface Library extends Named {
  readonly file: string;
  readonly args?: readonly string[];
}

/** A program with a folder of `programs` or without, which is started for each question. */
export interface Program extends Named {
  readonly folder?: string;
  readonly env?: (setting: Setting) => Readonly<Record<string, string>>;
  /** A model decides what it calls. */
  readonly hasModel?: true;
  /** What a person enters who wants a tool to be called. */
  readonly command: (call: ToolCall, setting: Setting) => readonly string[];
}

/** The question to a program with a model, which decides by itself which tool to call. */
const QUESTION = 'Who am I there?';

const OFFICIAL = '@modelcontextprotocol/client';

export const LIBRARIES: readonly Library[] = [
  { name: 'SDK 1', package: '@modelcontextprotocol/sdk', file: 'sdk.ts' },
  { name: 'client 2, legacy', package: OFFICIAL, file: 'client.ts' },
  { name: 'client 2, auto', package: OFFICIAL, file: 'client.ts', args: ['auto'] },
  { name: 'client 2, 2026-07-28', package: OFFICIAL, file: 'client.ts', args: ['2026-07-28'] },
  { name: 'AI SDK', package: '@ai-sdk/mcp', file: 'ai-sdk.ts' },
  { name: 'LangChain', package: '@langchain/mcp-adapters', file: 'langchain.ts' },
  { name: 'OpenAI Agents', package: '@openai/agents', file: 'openai-agents.ts' },
  { name: 'Mastra', package: '@mastra/mcp', file: 'mastra.ts' },
  { name: 'mcp-use', package: 'mcp-use', file: 'mcp-use.ts' },
  { name: 'Google Gen AI', package: '@google/genai', file: 'google-genai.ts' },
  { name: 'Genkit', package: '@genkit-ai/mcp', file: 'genkit.ts' },
  { name: 'Strands', package: '@strands-agents/sdk', file: 'strands.ts' },
  { name: 'mcp-remote', package: 'mcp-remote', file: 'stdio.ts', args: ['mcp-remote'] },
  { name: 'supergateway', package: 'supergateway', file: 'stdio.ts', args: ['supergateway'] },
];

export const PROGRAMS: readonly Program[] = [
  {
    name: 'MCPorter',
    package: 'mcporter',
    folder: 'mcporter',
    command: ({ tool, args = {} }) => [
      ...['mcporter', '--config', 'mcporter.json', 'call', `gatehouse.${tool}`],
      ...Object.entries(args).map(([name, value]) => `${name}=${value}`),
    ],
  },
  {
    name: 'MCP Inspector',
    package: '@modelcontextprotocol/inspector',
    command: ({ tool, args = {} }, { url, token }) => [
      ...['mcp-inspector', '--cli', url, '--transport', 'http'],
      ...['--header', `Authorization: Bearer ${token}`],
      ...['--method', 'tools/call', '--tool-name', tool],
      ...Object.entries(args).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]),
    ],
  },
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    folder: 'claude-code',
    hasModel: true,
    env: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // The model here does not search for tools.
      ENABLE_TOOL_SEARCH: 'false',
    }),
    command: () => [
      ...['claude', '-p', QUESTION, '--mcp-config', '.mcp.json', '--strict-mcp-config'],
      ...['--allowedTools', 'mcp__gatehouse'],
    ],
  },
  {
    name: 'Codex',
    package: '@openai/codex',
    folder: 'codex',
    hasModel: true,
    env: () => ({ CODEX_HOME: '.', MODEL_KEY: 'none' }),
    command: (_call, { model }) => [
      // By default its models write programs that call the tools.
      ...[
        'codex',
        'exec',
        '--skip-git-repo-check',
        '-m',
        'gpt-5',
        '-c',
        'model_provider=here',
        '-c',
      ],
      `model_providers.here={name="here",base_url="${model}/v1",env_key="MODEL_KEY",wire_api="responses"}`,
      QUESTION,
    ],
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    folder: 'gemini-cli',
    hasModel: true,
    env: ({ model }) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    command: () => ['gemini', '-m', 'gemini-2.5-flash', '--yolo', '-p', QUESTION],
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    folder: 'opencode',
    hasModel: true,
    env: ({ model }) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: { anthropic: { options: { baseURL: `${model}/v1`, apiKey: 'none' } } },
        model: 'anthropic/claude-sonnet-4-5',
        small_model: 'anthropic/claude-sonnet-4-5',
      }),
    }),
    command: () => ['opencode', 'run', QUESTION],
  },
];
