import { SourceMap } from 'node:module'
import path from 'node:path'
import type { ScriptModule } from './script-messages.ts'

/** Replaces the address of a module while its places are looked up. */
const HERE = '\u0000'
const PLACE = new RegExp(`(?:file://)?${HERE}:(\\d+):(\\d+)`, 'g')
const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/

/**
 * Names the user's files in a stack, in place of the address by which their bundle was loaded: Node applies no source
 * map to a module without a file.
 */
export function withSourcePlaces(stack: string, address: string, { file, code }: ScriptModule): string {
  const map = sourceMapOf(code)
  const name = file ?? 'the script'
  return stack
    .replaceAll(address, HERE)
    .replaceAll(PLACE, (_, line: string, column: string) => {
      const entry = map?.findEntry(Number(line) - 1, Number(column) - 1)
      if (entry === undefined || !('originalSource' in entry)) return `${name}:${line}:${column}`
      const source = path.resolve(path.dirname(file ?? '/'), entry.originalSource)
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    })
    .replaceAll(HERE, name)
}

function sourceMapOf(code: string): SourceMap | undefined {
  const text = INLINE_MAP.exec(code)?.[1]
  if (text === undefined) return undefined
  try {
    return new SourceMap(
      JSON.parse(Buffer.from(text, 'base64').toString()) as ConstructorParameters<typeof SourceMap>[0],
    )
  } catch {
    // A text that was entered may hold anything.
    return undefined
  }
}
