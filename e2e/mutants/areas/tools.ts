import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import type { ChangeMessage } from '../mutant.ts'
import { subjectOf } from './session-faults.ts'
import { changeAnswer, changeResult, changeSent, errorFor, paramsOf } from './changes-message.ts'

/** The opening of both eras. */
export const OPENINGS = ['initialize', 'server/discover']

/** Leaves a capability out of the opening. */
export function undeclared(capability: string): ChangeMessage {
  return changeResult(OPENINGS, (result) => {
    const declared = isJsonObject(result['capabilities']) ? result['capabilities'] : {}
    const { [capability]: _, ...rest } = declared
    return { ...result, capabilities: rest }
  })
}

const content = (result: JsonObject): readonly unknown[] =>
  Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
const isUnknownKind = (block: unknown) => isJsonObject(block) && block['type'] === 'patchbay_unknown'

/** The mutants of the area `tools`. */
export const TOOLS_PROOF: AreaProof = {
  mutants: [
    { id: 'm.tools.server.capability', side: 'server', fault: { outgoing: undeclared('tools') } },
    {
      id: 'm.tools.server.names',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/list', (result) => {
          const tools: unknown[] = Array.isArray(result['tools']) ? result['tools'] : []
          const [first] = tools
          return isJsonObject(first)
            ? { ...result, tools: [...tools, { ...first, description: 'The same again.' }] }
            : result
        }),
      },
    },
    {
      id: 'm.tools.server.name-case',
      side: 'server',
      fault: {
        incoming: changeSent('tools/call', (message) => {
          const params = paramsOf(message)
          return { ...message, params: { ...params, name: String(params['name']).toLowerCase() } }
        }),
        http: (request, next) => {
          const { headers } = request
          if (headers['mcp-method'] === 'tools/call' && headers['mcp-name'] !== undefined)
            headers['mcp-name'] = headers['mcp-name'].toLowerCase()
          return next(request)
        },
      },
    },
    {
      id: 'm.tools.server.unknown',
      side: 'server',
      fault: {
        outgoing: changeAnswer('tools/call', (message, { answers }) => {
          const { error } = message
          if (!isJsonObject(error) || !/^Unknown tool/.test(String(error['message']))) return message
          const isModern = isJsonObject(paramsOf(answers)['_meta'])
          const result = { content: [{ type: 'text', text: 'Unknown tool' }], isError: true }
          return {
            jsonrpc: '2.0',
            id: message['id'],
            result: { ...(isModern && { resultType: 'complete' }), ...result },
          }
        }),
      },
    },
    {
      id: 'm.tools.server.validates-arguments',
      side: 'server',
      fault: {
        incoming: changeSent('tools/call', (message) => {
          const params = paramsOf(message)
          const args = isJsonObject(params['arguments']) ? params['arguments'] : {}
          return params['name'] === 'test_echo'
            ? { ...message, params: { ...params, arguments: { text: '', ...args } } }
            : message
        }),
      },
    },
    {
      id: 'm.tools.server.execution-error',
      side: 'server',
      fault: {
        outgoing: changeAnswer('tools/call', (message, { params }) =>
          params['name'] === 'test_error_handling' ? errorFor(message, -32603, 'Internal error') : message,
        ),
      },
    },
    {
      id: 'm.tools.server.content-blocks',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/call', (result) => ({
          ...result,
          content: content(result).map((block) =>
            isJsonObject(block) && block['type'] === 'image'
              ? { ...block, data: `data:image/png;base64,${String(block['data'])}` }
              : block,
          ),
        })),
      },
    },
    {
      id: 'm.tools.server.output-schema',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/call', (result) => {
          const { structuredContent } = result
          if (!isJsonObject(structuredContent) || !('sum' in structuredContent)) return result
          const wrong = { ...structuredContent, sum: String(structuredContent['sum']) }
          // The text says the same, so that it is the only fault.
          return {
            ...result,
            structuredContent: wrong,
            content: [{ type: 'text', text: JSON.stringify(wrong) }],
          }
        }),
      },
    },
    {
      id: 'm.tools.server.structured-text',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/call', (result) =>
          'structuredContent' in result ? { ...result, content: [] } : result,
        ),
      },
    },
    {
      id: 'm.tools.server.embedded-capability',
      side: 'server',
      fault: { outgoing: undeclared('resources') },
      alsoBreaks: {
        'resources.server.capability': 'resources are listed that are not declared',
        'lifecycle.capabilities.undeclared-method': 'resources are served that are not declared',
        'lifecycle.capabilities.no-undeclared-notices': 'their changes are announced, too',
        'versioning.server.capabilities-truthful': 'resources are served that are not declared',
      },
    },
    {
      id: 'm.tools.server.rate-limit',
      side: 'server',
      transports: ['stdio', 'websocket'],
      fault: {
        incoming: (message, { connection }) => {
          const calls = Number(connection.get('calls') ?? 0) + (message['method'] === 'tools/call' ? 1 : 0)
          connection.set('calls', calls)
          return calls > 150 ? undefined : message
        },
      },
    },
    {
      id: 'm.tools.client.result-kinds',
      side: 'client',
      fault: {
        incoming: changeAnswer('tools/call', (message) =>
          isJsonObject(message['result']) && content(message['result']).some(isUnknownKind)
            ? errorFor(message, -32603, 'Unknown content')
            : message,
        ),
      },
    },
    {
      id: 'm.tools.client.validates-structured',
      side: 'client',
      fault: {
        incoming: changeResult('tools/list', (result) => ({
          ...result,
          tools: (Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : []).map((tool) => {
            if (!isJsonObject(tool)) return tool
            const { outputSchema: _, ...rest } = tool
            return rest
          }),
        })),
      },
    },
    {
      id: 'm.tools.client.schema-whole',
      side: 'client',
      fault: {
        incoming: changeResult('tools/list', (result) => ({
          ...result,
          tools: (Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : []).map((tool) => {
            if (!isJsonObject(tool) || !isJsonObject(tool['inputSchema'])) return tool
            const { $defs: _, ...inputSchema } = tool['inputSchema']
            return { ...tool, inputSchema }
          }),
        })),
      },
    },
    {
      id: 'm.tools.server.access',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/list', (result, { headers }) => {
          const tools = Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : []
          const isHidden = (tool: unknown) => isJsonObject(tool) && tool['name'] === 'test_simple_text'
          return subjectOf(headers) === 'bob'
            ? { ...result, tools: tools.filter((tool) => !isHidden(tool)) }
            : result
        }),
      },
      transports: ['http'],
    },
  ],
}
