import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequests,
  inputRequired,
  type McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { textResult } from '../results.ts';
import { acceptedName, askModel, askName, listedRoots, sampledText } from './requests.ts';

/** Conformance fixtures that request one kind of input and then complete (SEP-2322). */
export function registerSingleRoundTools(server: McpServer): void {
  const inputSchema = z.object({});
  server.registerTool(
    'test_input_required_result_elicitation',
    { description: 'Asks for a name and greets.', inputSchema },
    async (_args, { mcpReq }) => {
      const name = acceptedName(mcpReq.inputResponses, 'user_name');
      if (name !== undefined) return textResult(`Hello, ${name}!`);
      return inputRequired({ inputRequests: { user_name: askName() } });
    },
  );
  server.registerTool(
    'test_input_required_result_sampling',
    { description: "Asks the client's model a question.", inputSchema },
    async (_args, { mcpReq }) => {
      const answer = sampledText(mcpReq.inputResponses, 'capital_question');
      if (answer !== undefined) return textResult(`Sampling response: ${answer}`);
      const question = askModel('What is the capital of France?');
      return inputRequired({ inputRequests: { capital_question: question } });
    },
  );
  server.registerTool(
    'test_input_required_result_list_roots',
    { description: "Asks for the client's roots.", inputSchema },
    async (_args, { mcpReq }) => {
      const roots = listedRoots(mcpReq.inputResponses, 'client_roots');
      if (roots !== undefined) return textResult(`Roots: ${roots.join(', ')}`);
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  );
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only for input that the client declared it supports.', inputSchema },
    async (_args, { mcpReq }) => {
      if (mcpReq.inputResponses !== undefined) return textResult('Input received');
      const inputRequests = requestsFor(declaredCapabilities(mcpReq.envelope));
      if (Object.keys(inputRequests).length === 0) return textResult('Nothing can be asked for');
      return inputRequired({ inputRequests });
    },
  );
}

const envelopeSchema = z.object({ [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}) });

function declaredCapabilities(envelope: unknown): object {
  return envelopeSchema.safeParse(envelope).data?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

function requestsFor(declared: object): InputRequests {
  return {
    ...('elicitation' in declared && { user_name: askName() }),
    ...('sampling' in declared && { greeting: askModel('Generate a short greeting') }),
    ...('roots' in declared && { client_roots: inputRequired.listRoots() }),
  };
}
