import type {
  CallToolResult,
  ElicitResult,
  McpServer,
  RequestId,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { textResult } from '../results.ts';

/** Conformance fixtures that send a request to the client over a legacy session's stream. */
export function registerClientRequestTools(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    {
      description: "Asks the client's model for a completion.",
      inputSchema: z.object({ prompt: z.string() }),
    },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling(
        {
          messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
          maxTokens: 100,
        },
        onStreamOf(mcpReq),
      );
      const [block] = Array.isArray(content) ? content : [content];
      return textResult(`LLM response: ${block?.type === 'text' ? block.text : 'no text'}`);
    },
  );
  server.registerTool(
    'test_elicitation',
    {
      description: 'Asks the user for one text.',
      inputSchema: z.object({ message: z.string() }),
    },
    async ({ message }, { mcpReq }) =>
      describe(
        'User response',
        await mcpReq.elicitInput(
          {
            message,
            requestedSchema: {
              type: 'object',
              properties: { response: { type: 'string', description: "The user's response" } },
              required: ['response'],
            },
          },
          onStreamOf(mcpReq),
        ),
      ),
  );
  registerDefaultsTool(server);
  registerEnumsTool(server);
}

/** SEP-1034: a default for each primitive type. */
function registerDefaultsTool(server: McpServer): void {
  server.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks for values that have defaults.', inputSchema: z.object({}) },
    async (_args, { mcpReq }) =>
      describe(
        'Elicitation completed',
        await mcpReq.elicitInput(
          {
            message: 'Please review the defaults',
            requestedSchema: {
              type: 'object',
              properties: {
                name: { type: 'string', default: 'John Doe' },
                age: { type: 'integer', default: 30 },
                score: { type: 'number', default: 95.5 },
                status: {
                  type: 'string',
                  enum: ['active', 'inactive', 'pending'],
                  default: 'active',
                },
                verified: { type: 'boolean', default: true },
              },
              required: [],
            },
          },
          onStreamOf(mcpReq),
        ),
      ),
  );
}

/** SEP-1330: the five ways to offer choices. */
function registerEnumsTool(server: McpServer): void {
  server.registerTool(
    'test_elicitation_sep1330_enums',
    { description: 'Asks for values chosen from lists.', inputSchema: z.object({}) },
    async (_args, { mcpReq }) =>
      describe(
        'Elicitation completed',
        await mcpReq.elicitInput(
          {
            message: 'Please choose from the lists',
            requestedSchema: {
              type: 'object',
              properties: {
                untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
                titledSingle: { type: 'string', oneOf: titled('value', 'Option') },
                legacyEnum: {
                  type: 'string',
                  enum: ['opt1', 'opt2', 'opt3'],
                  enumNames: ['Option One', 'Option Two', 'Option Three'],
                },
                untitledMulti: {
                  type: 'array',
                  minItems: 1,
                  maxItems: 3,
                  items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
                },
                titledMulti: {
                  type: 'array',
                  minItems: 1,
                  maxItems: 3,
                  items: { anyOf: titled('value', 'Choice') },
                },
              },
              required: [],
            },
          },
          onStreamOf(mcpReq),
        ),
      ),
  );
}

/** Without it the request is sent on the session's GET stream, and lost if that is not open yet. */
function onStreamOf(call: { id: RequestId }): { relatedRequestId: RequestId } {
  return { relatedRequestId: call.id };
}

function titled(value: string, title: string): { const: string; title: string }[] {
  return ['First', 'Second', 'Third'].map((ordinal, index) => ({
    const: `${value}${index + 1}`,
    title: `${ordinal} ${title}`,
  }));
}

function describe(what: string, { action, content }: ElicitResult): CallToolResult {
  return textResult(`${what}: action=${action}, content=${JSON.stringify(content ?? {})}`);
}
