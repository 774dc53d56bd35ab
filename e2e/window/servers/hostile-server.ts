/** Names, descriptions, results and errors that try to be more than text; and more of them than is polite. */
import { methodNotFound, serveLines, textResult, type Incoming } from './line-server.ts'

/** Markup, a script, a link, a turned direction, a hidden character, a colour and a cursor movement. */
const HOSTILE =
  '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>' +
  '[a](javascript:document.title="owned") safe\u202Egnp.exe\u2066 zero\u200Bwidth \u001b[31mred\u001b[0m\u001b[2J end'

const size = { type: 'object', properties: { bytes: { type: 'integer' } }, required: ['bytes'] }

const tools = [
  {
    name: HOSTILE,
    title: HOSTILE,
    description: HOSTILE,
    inputSchema: {
      type: 'object',
      properties: { [HOSTILE]: { type: 'string', description: HOSTILE, enum: [HOSTILE, 'b'] } },
    },
  },
  { name: 'hostile_result', description: HOSTILE, inputSchema: { type: 'object' } },
  { name: 'hostile_error', description: HOSTILE, inputSchema: { type: 'object' } },
  { name: 'big_json', description: 'A result of many bytes, structured and as text.', inputSchema: size },
  ...Array.from({ length: 2_000 }, (_each, place) => ({
    name: `tool_${String(place + 1).padStart(4, '0')}`,
    description: `The tool with number ${place + 1}. ${'It does one thing. '.repeat(5)}`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, times: { type: 'integer' } } },
  })),
]

function bigJson(bytes: number): object {
  const row = (place: number) => ({
    place,
    name: `row ${place}`,
    tags: ['a', 'b', 'c'],
    share: place / 7,
    note: 'x'.repeat(40),
  })
  const length = JSON.stringify(row(1_000)).length + 1
  const rows = Array.from({ length: Math.ceil(bytes / length) }, (_each, place) => row(place + 1))
  return {
    result: {
      content: [{ type: 'text', text: JSON.stringify(rows.slice(0, 100)) }],
      structuredContent: { rows },
    },
  }
}

function call({ params }: Incoming): object {
  const { bytes } = (params['arguments'] ?? {}) as { bytes?: number }
  switch (params['name']) {
    case 'hostile_result':
      return {
        result: {
          content: [
            { type: 'text', text: HOSTILE },
            {
              type: 'resource_link',
              uri: `javascript:document.title="owned"`,
              name: HOSTILE,
              description: HOSTILE,
            },
            { type: HOSTILE, text: HOSTILE },
            {
              type: 'image',
              mimeType: 'image/svg+xml',
              data: Buffer.from(
                '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="document.title=\'owned\'"><script>document.title="owned"</script></svg>',
              ).toString('base64'),
            },
          ],
        },
      }
    case 'hostile_error':
      return { error: { code: -32099, message: HOSTILE, data: { [HOSTILE]: HOSTILE } } }
    case 'big_json':
      return bigJson(bytes ?? 0)
    default:
      return textResult(HOSTILE)
  }
}

process.stderr.write(`${HOSTILE}\n`)

serveLines((request) => {
  if (request.method === 'tools/list') return { result: { tools } }
  if (request.method === 'resources/list') return { result: { resources: [{ uri: HOSTILE, name: HOSTILE }] } }
  if (request.method === 'resources/templates/list') return { result: { resourceTemplates: [] } }
  if (request.method === 'prompts/list')
    return { result: { prompts: [{ name: HOSTILE, description: HOSTILE }] } }
  return request.method === 'tools/call' ? call(request) : methodNotFound
})
