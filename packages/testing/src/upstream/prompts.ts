import {
  acceptedContent,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { RED_PIXEL_PNG } from './media.ts';
import { userMessages } from './results.ts';

/** The prompts of the conformance suites: plain, with arguments, a resource, an image, a question. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Simple prompt' }, async () =>
    userMessages({ type: 'text', text: 'This is a simple prompt for testing.' }),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Prompt with arguments',
      argsSchema: z.object({ arg1: z.string(), arg2: z.string() }),
    },
    async ({ arg1, arg2 }) =>
      userMessages({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Prompt with a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri: uri }) =>
      userMessages(
        { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded content.' } },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  );
  server.registerPrompt(
    'test_prompt_with_image',
    { description: 'Prompt with an image' },
    async () =>
      userMessages(
        { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
  );
  registerQuestionPrompt(server);
}

const contextSchema = z.object({ context: z.string() });

/** SEP-2322: `prompts/get` may request input too. */
function registerQuestionPrompt(server: McpServer): void {
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Prompt that asks first' },
    async ({ mcpReq }: ServerContext) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_context', contextSchema);
      if (given) return userMessages({ type: 'text', text: `Use this context: ${given.context}` });
      const user_context = inputRequired.elicit({
        message: 'What context should the prompt use?',
        requestedSchema: contextSchema,
      });
      return inputRequired({ inputRequests: { user_context } });
    },
  );
}
