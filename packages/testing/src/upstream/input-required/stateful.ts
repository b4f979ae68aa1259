import {
  inputRequired,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { textResult } from '../results.ts';
import {
  acceptedName,
  askConfirmation,
  askModel,
  askName,
  type FixtureState,
  isConfirmed,
  listedRoots,
  sampledText,
} from './requests.ts';

const inputSchema = z.object({});

/** Conformance fixtures that carry sealed state from round to round (SEP-2322). */
export function registerStatefulTools(
  server: McpServer,
  states: RequestStateCodec<FixtureState>,
): void {
  registerConfirmation(server, states, 'test_input_required_result_request_state', 'state-ok');
  registerConfirmation(server, states, 'test_input_required_result_tampered_state', 'integrity-ok');
  registerMultipleInputs(server, states);
  registerMultiRound(server, states);
}

function registerConfirmation(
  server: McpServer,
  states: RequestStateCodec<FixtureState>,
  tool: string,
  outcome: string,
): void {
  server.registerTool(
    tool,
    { description: 'Asks for a confirmation under sealed state.', inputSchema },
    async (_args, { mcpReq }) => {
      if (!isConfirmed(mcpReq.inputResponses)) {
        const requestState = await states.mint({ tool });
        return inputRequired({ inputRequests: { confirm: askConfirmation() }, requestState });
      }
      if (mcpReq.requestState<FixtureState>()?.tool === tool) return textResult(outcome);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState of this tool missing');
    },
  );
}

function registerMultipleInputs(server: McpServer, states: RequestStateCodec<FixtureState>): void {
  const tool = 'test_input_required_result_multiple_inputs';
  server.registerTool(
    tool,
    { description: 'Asks the user, the model and the client at once.', inputSchema },
    async (_args, { mcpReq }) => {
      const name = acceptedName(mcpReq.inputResponses, 'user_name');
      const greeting = sampledText(mcpReq.inputResponses, 'greeting');
      const roots = listedRoots(mcpReq.inputResponses, 'client_roots');
      if (name !== undefined && greeting !== undefined && roots !== undefined) {
        return textResult(`${greeting} ${name}, ${roots.length} root(s)`);
      }
      return inputRequired({
        inputRequests: {
          user_name: askName(),
          greeting: askModel('Generate a greeting'),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await states.mint({ tool }),
      });
    },
  );
}

/** The round number is only in the state: in this era the server keeps nothing between requests. */
function registerMultiRound(server: McpServer, states: RequestStateCodec<FixtureState>): void {
  const tool = 'test_input_required_result_multi_round';
  server.registerTool(
    tool,
    { description: 'Asks twice, then completes.', inputSchema },
    async (_args, { mcpReq }) => {
      const state = mcpReq.requestState<FixtureState>();
      if (state?.tool !== tool) {
        const requestState = await states.mint({ tool, round: 1 });
        return inputRequired({ inputRequests: { step1: askName() }, requestState });
      }
      if (state.round === 1) {
        const name = acceptedName(mcpReq.inputResponses, 'step1') ?? 'unknown';
        const step2 = inputRequired.elicit({
          message: 'What is your favourite colour?',
          requestedSchema: z.object({ color: z.string() }),
        });
        const requestState = await states.mint({ tool, round: 2, name });
        return inputRequired({ inputRequests: { step2 }, requestState });
      }
      return textResult(`Multi-round complete for ${state.name}`);
    },
  );
}
