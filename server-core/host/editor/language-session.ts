import { pathToFileURL } from 'node:url'
import path from 'node:path'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { FileChange } from './folder-watch.ts'

/** The numbers that the language server protocol has for what became of a file. */
const CHANGES: Readonly<Record<FileChange['type'], number>> = { made: 1, changed: 2, removed: 3 }

/** What a message of the language server leads to: `toPage` goes on to the page, `reply` back to the server. */
export type Passed = { readonly toPage?: string; readonly reply?: string }

/**
 * What this side does with a message of the language server. Its requests are answered here, because the page does not
 * know what is on the disk; its log is for those who build it.
 */
export function passOn(text: string): Passed {
  const message: unknown = JSON.parse(text)
  if (!isJsonObject(message) || typeof message['method'] !== 'string') return { toPage: text }
  const { id, method, params } = message
  if (id === undefined) return method === 'window/logMessage' ? {} : { toPage: text }
  switch (method) {
    case 'workspace/configuration':
      return { reply: answered(id, configured(params)) }
    case 'client/registerCapability':
    case 'client/unregisterCapability':
    case 'window/workDoneProgress/create':
      return { reply: answered(id, null) }
    case 'workspace/diagnostic/refresh':
      return { reply: answered(id, null), toPage: JSON.stringify({ jsonrpc: '2.0', method }) }
    default:
      return {
        reply: JSON.stringify({
          jsonrpc: '2.0',
          id,
          error: { code: -32601, message: `${method} is not known here` },
        }),
      }
  }
}

/** The message that tells a language server what changed on the disk. */
export function changedOnDisk(folder: string, changes: readonly FileChange[]): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    method: 'workspace/didChangeWatchedFiles',
    params: {
      changes: changes.map(({ file, type }) => ({
        uri: pathToFileURL(path.join(folder, file)).href,
        type: CHANGES[type],
      })),
    },
  })
}

/** Nothing is set but what TypeScript sets by itself, but for names: they change in every file, not by a second name. */
function configured(params: unknown): (JsonObject | null)[] {
  const items = isJsonObject(params) ? params['items'] : undefined
  if (!Array.isArray(items)) return []
  return items.map((item: unknown) =>
    isJsonObject(item) && item['section'] !== 'editor'
      ? { preferences: { useAliasesForRenames: false } }
      : null,
  )
}

function answered(id: unknown, result: unknown): string {
  const answer: JsonObject = { jsonrpc: '2.0', id, result }
  return JSON.stringify(answer)
}
