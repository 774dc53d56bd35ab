import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { passiveCheck } from '../../check.ts'
import type { SeenMessage, Transcript } from '../../passive/transcript.ts'
import { shortJson } from '../../probe/outcome.ts'
import { seenCapabilities } from '../lists/own-capabilities.ts'
import { blockFaults, blocksOf } from './content-blocks.ts'

/** The results that answer some methods, each of which counts as looked at if it is wanted. */
function* resultsOf(
  transcript: Transcript,
  methods: readonly string[],
  wants: (result: JsonObject) => boolean = () => true,
): Generator<{ seen: SeenMessage; result: JsonObject; method: string }> {
  const fits = ({ answers, message }: SeenMessage) => {
    const method = answers?.message['method']
    return typeof method === 'string' && methods.includes(method) && isJsonObject(message['result'])
  }
  for (const seen of transcript.examined(
    (each) => fits(each) && isJsonObject(each.message['result']) && wants(each.message['result']),
  )) {
    const { result } = seen.message
    if (isJsonObject(result)) yield { seen, result, method: String(seen.answers?.message['method']) }
  }
}

export const toolNames = passiveCheck(
  'tools.server.names',
  (transcript) => {
    const isList = ({ tools }: JsonObject) => Array.isArray(tools) && tools.length > 0
    for (const { seen, result } of resultsOf(transcript, ['tools/list'], isList)) {
      const tools: unknown[] = Array.isArray(result['tools']) ? result['tools'] : []
      const names = tools.map((tool) => (isJsonObject(tool) ? tool['name'] : undefined))
      for (const [index, name] of names.entries()) {
        const report = (statement: string, expected: string) => {
          const member = `${seen.pointer}/result/tools/${index}/name`
          transcript.warn({ expected, actual: shortJson(name), statement, member, frame: seen.frame })
        }
        if (typeof name !== 'string') continue
        if (name.length < 1 || name.length > 128) report('tools.name.length', '1 to 128 characters')
        if (/[^A-Za-z\d_.-]/.test(name)) report('tools.name.characters', 'A-Z, a-z, 0-9, "_", "-" and "."')
        if (names.indexOf(name) !== index) report('tools.name.unique', 'a name that no other tool has')
      }
    }
  },
  { title: 'Tool names are well formed and unique' },
)

export const contentBlocks = passiveCheck(
  'tools.server.content-blocks',
  (transcript) => {
    const methods = ['tools/call', 'prompts/get', 'resources/read']
    for (const { seen, result, method } of resultsOf(transcript, methods)) {
      for (const { block, pointer } of blocksOf(method, result)) {
        for (const { statement, expected, actual, member, isRemark } of blockFaults(block)) {
          const place = method === 'resources/read' ? member.replace(/^\/resource/, '') : member
          transcript.fail({
            statement,
            expected,
            actual,
            member: `${seen.pointer}/result${pointer}${place}`,
            frame: seen.frame,
            ...(isRemark === true && { severity: 'info' }),
          })
        }
      }
    }
  },
  { title: 'Content blocks are complete and encoded in base64' },
)

const isStructured = (result: JsonObject) => 'structuredContent' in result && result['isError'] !== true

export const structuredText = passiveCheck(
  'tools.server.structured-text',
  (transcript) => {
    for (const { seen, result } of resultsOf(transcript, ['tools/call'], isStructured)) {
      const content: unknown[] = Array.isArray(result['content']) ? result['content'] : []
      const wanted = JSON.stringify(sorted(result['structuredContent']))
      const isCopied = content.some(
        (block) => isJsonObject(block) && block['type'] === 'text' && sortedText(block['text']) === wanted,
      )
      if (isCopied) continue
      transcript.warn({
        expected: 'a text block with the structured content as JSON',
        actual: shortJson(content),
        member: `${seen.pointer}/result/content`,
        frame: seen.frame,
      })
    }
  },
  { title: 'Structured content is repeated as text' },
)

function sortedText(text: unknown): string | undefined {
  try {
    return typeof text === 'string' ? JSON.stringify(sorted(JSON.parse(text))) : undefined
  } catch {
    return undefined
  }
}

/** A value with the members of its objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(sorted)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  )
}

const isEmbedded = (block: unknown) => isJsonObject(block) && block['type'] === 'resource'

export const embeddedCapability = passiveCheck(
  'tools.server.embedded-capability',
  (transcript) => {
    const embeds = ({ content }: JsonObject) => Array.isArray(content) && content.some(isEmbedded)
    for (const { seen, result } of resultsOf(transcript, ['tools/call'], embeds)) {
      const declared = seenCapabilities(transcript, seen.frame.connection.number)
      if (declared === undefined || declared['resources'] !== undefined) continue
      const content: unknown[] = Array.isArray(result['content']) ? result['content'] : []
      transcript.warn({
        expected: 'the capability resources, as a result holds an embedded resource',
        actual: `declared: ${Object.keys(declared).join(', ')}`,
        member: `${seen.pointer}/result/content/${content.findIndex(isEmbedded)}`,
        frame: seen.frame,
      })
    }
  },
  { title: 'Embedded resources need the resources capability' },
)
