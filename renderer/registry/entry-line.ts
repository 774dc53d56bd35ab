import type {
  EntryKind,
  RegistryEntry,
  RegistryState,
  Script,
} from '../../server-core/host/contract/registry.ts'
import { counted, countText } from '../text/measures.ts'

/** The end of a line: how often it was called, or what is wrong with it. */
export interface LineMark {
  readonly text: string
  readonly tone: 'plain' | 'error'
}

/** An entry of the registry as the table shows it. */
export interface EntryLine {
  /** Key of the entry (`lineKeys`), or `script:FILE` for a script that never loaded. */
  readonly key: string
  readonly kind: EntryKind
  /** The name that clients see. */
  readonly name: string
  /** Description of its source. */
  readonly source: string
  readonly isOn: boolean
  readonly mark: LineMark
  /** The error, if any. */
  readonly problem: string | undefined
  /** Missing for a script that never loaded. */
  readonly entry: RegistryEntry | undefined
  /** The script that defines it, if any. */
  readonly script: Script | undefined
  /** Lower-case text that the filter searches. */
  readonly haystack: string
}

const FOLDERS: Readonly<Record<string, EntryKind>> = {
  tools: 'tool',
  resources: 'resource',
  templates: 'template',
  prompts: 'prompt',
}

/**
 * The lines of the table, in the order of the host: every entry, and every script that makes none because it never
 * loaded. `switched` holds what the user switched and the host has not told back yet, by key.
 */
export function linesOf(
  { entries, scripts }: Pick<RegistryState, 'entries' | 'scripts'>,
  switched: ReadonlyMap<string, boolean>,
): readonly EntryLine[] {
  const byFile = new Map(scripts.map((script) => [script.file, script]))
  const keys = lineKeys(entries)
  const ofEntries = entries.map((entry, at) => {
    const { file } = entry.origin
    const script = file === undefined || entry.origin.kind !== 'script' ? undefined : byFile.get(file)
    return lineOf(entry, keys[at] ?? entry.key, script, switched.get(entry.key) ?? entry.enabled)
  })
  const known = new Set(entries.map(({ origin }) => origin.file))
  const strangers = scripts
    .filter((script) => !known.has(script.file) && script.error !== undefined)
    .flatMap((script) => {
      const kind = FOLDERS[script.file.split('/', 1)[0] ?? '']
      return kind === undefined ? [] : [lineOfScript(script, kind)]
    })
  return [...ofEntries, ...strangers]
}

/**
 * The key of each entry's line: its own, or one with its source where another source has the name, so that they are two
 * lines. The one that clients see keeps its own.
 */
function lineKeys(entries: readonly RegistryEntry[]): readonly string[] {
  const taken = new Set(entries.flatMap(({ key, state }) => (state === 'failing' ? [] : [key])))
  return entries.map(({ key, state, origin }) => {
    if (state !== 'failing') return key
    const own = taken.has(key) ? `${key} of ${origin.label}` : key
    taken.add(own)
    return own
  })
}

/** Returns the entry of a line by the line's key. */
export function entryOfLine(entries: readonly RegistryEntry[], key: string): RegistryEntry | undefined {
  // The key differs from the entry's own only if entries share a name.
  const own = entries.filter((entry) => key.startsWith(entry.key))
  const at = lineKeys(own).indexOf(key)
  return at < 0 ? undefined : own[at]
}

function lineOf(entry: RegistryEntry, key: string, script: Script | undefined, isOn: boolean): EntryLine {
  const problem = entry.error?.message ?? script?.error?.message
  const words = [entry.shownName, entry.name, entry.title, entry.origin.label, ...(entry.tags ?? [])]
  return {
    key,
    kind: entry.kind,
    name: entry.shownName,
    source: entry.state === 'overridden' ? `override of ${entry.origin.label}` : entry.origin.label,
    isOn,
    mark: markOf(entry, script),
    problem,
    entry,
    script,
    haystack: words.join('\n').toLowerCase(),
  }
}

function lineOfScript(script: Script, kind: EntryKind): EntryLine {
  const name = (script.file.split('/').at(-1) ?? script.file).replace(/\.[cm]?[jt]sx?$/, '')
  return {
    key: `script:${script.file}`,
    kind,
    name,
    source: script.file,
    isOn: false,
    mark: faultMark(script),
    problem: script.error?.message,
    entry: undefined,
    script,
    haystack: `${name}\n${script.file}`.toLowerCase(),
  }
}

function markOf(entry: RegistryEntry, script: Script | undefined): LineMark {
  if (script?.error !== undefined) return faultMark(script)
  if (entry.error !== undefined) return { text: 'error', tone: 'error' }
  if (entry.subscriptions > 0) return { text: counted(entry.subscriptions, 'sub'), tone: 'plain' }
  return { text: countText(entry.calls), tone: 'plain' }
}

function faultMark(script: Script): LineMark {
  return { text: script.state === 'stopped' ? 'crashed' : 'error', tone: 'error' }
}
