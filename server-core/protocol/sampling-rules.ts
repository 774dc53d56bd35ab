import { isJsonObject, type JsonObject } from './json.ts'

/** Where messages break a rule of sampling with tools, and how. */
export type SamplingFault = { readonly path: readonly (string | number)[]; readonly message: string }

type Block = { readonly block: JsonObject; readonly path: readonly (string | number)[] }

/**
 * Checks the tool blocks in the messages of `sampling/createMessage` (2025-11-25, Sampling: tool result messages, tool
 * use and result balance): models ask for tools and users answer, the very next message answers each `tool_use` once
 * and holds nothing but `tool_result` blocks. Takes the messages as they are on the wire, and returns every fault;
 * paths start at the list. Invalid messages and blocks are skipped.
 *
 * @example
 * ```ts
 * import { samplingFaults } from 'patchbay/protocol'
 *
 * const faults = samplingFaults([
 *   { role: 'user', content: { type: 'tool_result', toolUseId: 'a', content: [] } },
 * ])
 * for (const { path, message } of faults) console.log(path, message)
 * ```
 */
export function samplingFaults(messages: readonly unknown[]): readonly SamplingFault[] {
  const faults: SamplingFault[] = []
  let pending = new Map<string, Block>()
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message, index)
    const isAssistant = isJsonObject(message) && message['role'] === 'assistant'
    const results = blocks.filter(({ block }) => block['type'] === 'tool_result')
    for (const { block, path } of results) {
      const id = block['toolUseId']
      if (isAssistant) faults.push({ path, message: 'a tool_result belongs in a message of the role "user"' })
      else if (typeof id === 'string' && !pending.delete(id)) {
        faults.push({ path, message: `no tool_use of the message before waits for the result "${id}"` })
      }
    }
    const [other] = blocks.filter(({ block }) => block['type'] !== 'tool_result')
    if (!isAssistant && results.length > 0 && other !== undefined) {
      faults.push({ path: other.path, message: 'a message with a tool_result holds tool_result blocks only' })
    }
    reportMissing(pending, faults)
    pending = new Map()
    for (const { block, path } of blocks.filter((each) => each.block['type'] === 'tool_use')) {
      const { id } = block
      if (!isAssistant)
        faults.push({ path, message: 'a tool_use belongs in a message of the role "assistant"' })
      else if (typeof id === 'string') {
        if (pending.has(id)) faults.push({ path, message: `the tool_use id "${id}" is used twice` })
        pending.set(id, { block, path })
      }
    }
  }
  reportMissing(pending, faults)
  return faults
}

function reportMissing(pending: ReadonlyMap<string, Block>, faults: SamplingFault[]): void {
  for (const [id, { path }] of pending) {
    faults.push({ path, message: `the next message has no tool_result for the tool_use "${id}"` })
  }
}

function blocksOf(message: unknown, index: number): readonly Block[] {
  if (!isJsonObject(message)) return []
  const { content } = message
  if (isJsonObject(content)) return [{ block: content, path: [index, 'content'] }]
  if (!Array.isArray(content)) return []
  return content.flatMap((block: unknown, at) =>
    isJsonObject(block) ? [{ block, path: [index, 'content', at] }] : [],
  )
}
