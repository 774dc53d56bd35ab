import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { blockDefect, isContentBlock, textBlock, wireBlock } from './content.ts'
import type { PromptOutcome } from './entries.ts'
import { rejectUnsafeNumbers } from './reject-unsafe-numbers.ts'

/**
 * Makes the messages of a prompt (specification: Prompts, PromptMessage): a text is one user message; a list
 * holds texts and `{ role, content }`; an object with `messages` may add a description. Content that is a list
 * becomes one message for each item. Throws a `TypeError` for anything else.
 */
export function toPromptOutcome(value: unknown, description: string | undefined): PromptOutcome {
  const wrapped = isJsonObject(value) && Array.isArray(value['messages']) ? value : undefined
  const items: unknown = wrapped === undefined ? value : wrapped['messages']
  const list: readonly unknown[] = Array.isArray(items) ? items : [items]
  const told = typeof wrapped?.['description'] === 'string' ? wrapped['description'] : description
  const meta = wrapped?.['_meta']
  rejectUnsafeNumbers(list)
  rejectUnsafeNumbers(meta)
  return {
    ...(told === undefined ? {} : { description: told }),
    messages: list.flatMap(toMessages),
    ...(isJsonObject(meta) ? { meta } : {}),
  }
}

function toMessages(item: unknown): JsonObject[] {
  if (typeof item === 'string') return [{ role: 'user', content: textBlock(item) }]
  if (isJsonObject(item)) {
    const { role = 'user', content } = item
    if (role === 'user' || role === 'assistant') {
      const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
      return parts.map((part) => ({ role, content: toBlock(part) }))
    }
  }
  throw new TypeError('A prompt gives texts or messages like { role: "user" | "assistant", content }.')
}

function toBlock(part: unknown): JsonObject {
  if (typeof part === 'string') return textBlock(part)
  if (isContentBlock(part)) return wireBlock(part)
  const problem = isJsonObject(part) ? blockDefect(part) : undefined
  const why = problem === undefined ? '' : `: ${problem}`
  throw new TypeError(`The content of a prompt message is a text or a content block${why}.`)
}
