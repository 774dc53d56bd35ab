import type { RegistryEntry } from '../../server-core/host/contract/registry.ts'
import type { Place } from '../editor/editor-props.ts'

type Sought = Pick<RegistryEntry, 'kind' | 'name' | 'origin'>

/**
 * Finds the definition of an entry in the text of its script or configuration. Returns `undefined` if the text does not
 * contain it, e.g. because its name is computed.
 */
export function placeInSource(text: string, { kind, name, origin }: Sought): Place | undefined {
  const offset =
    origin.kind === 'script'
      ? (firstOf(text, member(name)) ??
        firstOf(text, exported(name)) ??
        onlyOf(text, definition(kind)) ??
        firstOf(text, quoted(name)))
      : (firstOf(text, quoted(name)) ?? firstOf(text, quoted(origin.label)))
  return offset === undefined ? undefined : placeAt(text, offset)
}

/** `name: 'greet'`, `"uri": "notes://index"`. */
function member(name: string): RegExp {
  return new RegExp(`\\b(?:name|uri|uriTemplate)['"]?\\s*:\\s*${quoted(name).source}`, 'g')
}

/** `export const greet =`. */
function exported(name: string): RegExp {
  return new RegExp(`^export (?:const|let|var) ${escaped(name)}\\b`, 'gm')
}

/** `export default tool(`, `= tool(`. */
function definition(kind: Sought['kind']): RegExp {
  return new RegExp(`^export\\b.*\\b${kind}\\(`, 'gm')
}

function quoted(text: string): RegExp {
  return new RegExp(`(['"\`])${escaped(text)}\\1`, 'g')
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function firstOf(text: string, pattern: RegExp): number | undefined {
  return pattern.exec(text)?.index
}

/** Returns the only match; `undefined` for several, since any could be wrong. */
function onlyOf(text: string, pattern: RegExp): number | undefined {
  const found = [...text.matchAll(pattern)]
  return found.length === 1 ? found[0]?.index : undefined
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
