/** One of the tools that are only listed. */
export function listedTool(index: number) {
  return {
    name: `tool_${String(index).padStart(5, '0')}`,
    description: `Tool number ${index}: searches collection ${index % 97} and gives back the best matches.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: `What tool ${index} should look for` },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Greatest number of results' },
        mode: { type: 'string', enum: ['fast', 'exact', 'fuzzy'], description: 'How to match' },
      },
      required: ['query'],
    },
  }
}
