import { commandOf } from './command.ts'
import type { CopiedExchange } from './copied-exchange.ts'
import { curlOf } from './curl.ts'
import { markdownOf } from './markdown.ts'
import { pythonOf } from './python.ts'
import { typescriptOf } from './typescript.ts'

export const COPY_FORMATS = ['json', 'curl', 'command', 'typescript', 'python', 'markdown'] as const
export type CopyFormat = (typeof COPY_FORMATS)[number]

/** Writes an exchange in a format; undefined if the format cannot represent it. */
export function copyAs(format: CopyFormat, exchange: CopiedExchange): string | undefined {
  switch (format) {
    case 'json':
      return exchange.request
    case 'curl':
      return curlOf(exchange)
    case 'command':
      return commandOf(exchange)
    case 'typescript':
      return typescriptOf(exchange)
    case 'python':
      return pythonOf(exchange)
    case 'markdown':
      return markdownOf(exchange)
  }
}
