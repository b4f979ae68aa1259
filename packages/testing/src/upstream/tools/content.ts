import type { CallToolResult, ContentBlock, McpServer } from '@modelcontextprotocol/server';
import { EMPTY_WAV, RED_PIXEL_PNG } from '../media.ts';
import { textResult } from '../results.ts';

const image: ContentBlock = { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' };

const results: Record<string, CallToolResult> = {
  test_simple_text: textResult('This is a simple text response for testing.'),
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: EMPTY_WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  },
  test_multiple_content_types: {
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
};

/** One conformance fixture for each kind of content, and `test_error_handling`, which fails. */
export function registerContentTools(server: McpServer): void {
  for (const [name, result] of Object.entries(results)) {
    server.registerTool(name, { description: `Conformance fixture ${name}.` }, async () => result);
  }
  server.registerTool('test_error_handling', { description: 'Always fails.' }, async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

function embedded(uri: string, mimeType: string, text: string): ContentBlock {
  return { type: 'resource', resource: { uri, mimeType, text } };
}
