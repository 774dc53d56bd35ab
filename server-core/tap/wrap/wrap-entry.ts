import path from 'node:path'
import type { Change } from '../../comparison/compare-values.ts'
import type { ClientFile } from '../../install/client-file.ts'
import { changeConfigText, readConfigText } from '../../install/config-text.ts'
import { editing, inFile, type Editing } from '../../install/entry-editing.ts'
import { isThere } from '../../install/is-there.ts'
import { summaryOf, type Launcher } from '../../install/our-entry.ts'
import { TapError } from '../tap-error.ts'
import { compareEntry, replacedText, unwrapText, type Unwrapped } from './wrap-text.ts'
import type { Wrap, WrapKey, WrapStore } from './wrap-store.ts'
import { isStdioEntry, startsTap, wrappedEntry } from './wrapped-entry.ts'

export type WrapOptions = {
  readonly name: string
  readonly launcher: Launcher
  /** The data folder, if it is not the usual one. */
  readonly profile?: string
}

/** What became of an entry. */
export type UnwrapOutcome =
  /** The bytes of the entry are those from before. */
  | 'restored'
  /** The file was laid out again since, so only the values of the entry are those from before. */
  | 'restored-values'
  /** The entry was as before already. */
  | 'as-before'
  /** The entry was removed. */
  | 'gone'

/** The state of an entry of a client. */
export type WrapState = {
  readonly name: string
  readonly state:
    | 'wrapped'
    /** It starts a command, and no tap. */
    | 'not-wrapped'
    /** It names an address. */
    | 'address'
    /** It was wrapped, and somebody changed it since. */
    | 'changed'
    /** It starts a tap that this profile did not write. */
    | 'foreign'
    /** It was wrapped, and is no longer there. */
    | 'gone'
  readonly summary: string
  /** Of a changed entry: what was written, against what is there. */
  readonly changes?: readonly Change[]
}

/**
 * Puts a tap in front of the command of one entry. No other byte of the file changes; clients see it at their next start.
 *
 * @throws TapError `no-entry`, `not-stdio`, `wrapped`, `not-built`; InstallError if the file cannot be read or changed
 */
export async function wrapEntry(where: ClientFile, store: WrapStore, options: WrapOptions): Promise<Wrap> {
  const { client, file } = where
  const { name, launcher, profile } = options
  if (path.isAbsolute(launcher.program) && !(await isThere(launcher.program)))
    throw new TapError(
      'not-built',
      `${launcher.program} does not exist, so no client could start it. Build it first.`,
    )
  const tools = await editing(client, file)
  const before = await inFile(file, async () => (await readConfigText(file)) ?? '')
  const wrap = await inFile(file, () =>
    Promise.resolve(planned(tools, before, { client: client.id, file, name }, where, options, profile)),
  )
  // Stored first: what follows may be interrupted, and an entry that is as before unwraps to itself.
  await store.add(wrap)
  try {
    await inFile(file, () =>
      changeConfigText(where, (text = '') => {
        const present = tools.entriesOf(text, client.path)[name]
        requireStdio(where, name, present)
        if (JSON.stringify(present) !== JSON.stringify(wrap.original))
          throw new TapError(
            'changed',
            `"${name}" in ${file} was changed in this moment. Nothing was written; try again.`,
          )
        return tools.change(text, { path: client.path, name }, wrap.wrapped)
      }),
    )
  } catch (error) {
    await store.remove(wrap)
    throw error
  }
  return wrap
}

function planned(
  tools: Editing,
  text: string,
  key: WrapKey,
  where: ClientFile,
  { launcher }: WrapOptions,
  profile: string | undefined,
): Wrap {
  const { client } = where
  const present = tools.entriesOf(text, client.path)[key.name]
  const original = requireStdio(where, key.name, present)
  const names = { client: client.title, server: key.name, ...(profile !== undefined && { profile }) }
  const wrapped = wrappedEntry(original, launcher, names)
  const after = tools.change(text, { path: client.path, name: key.name }, wrapped)
  return { ...key, original, wrapped, replaced: replacedText(text, after), at: Date.now() }
}

function requireStdio({ client, file }: ClientFile, name: string, present: unknown) {
  if (present === undefined)
    throw new TapError(
      'no-entry',
      `${file} has no server "${name}". "patchbay tap status ${client.id}" lists those it has.`,
    )
  if (startsTap(present))
    throw new TapError('wrapped', `"${name}" in ${file} starts a tap already: ${summaryOf(present)}`)
  if (!isStdioEntry(present))
    throw new TapError(
      'not-stdio',
      `"${name}" in ${file} starts no command: ${summaryOf(present)}. For an address, run "patchbay tap --url URL" and give the client the address that it prints.`,
    )
  return present
}

/**
 * Puts an entry back as it was before it was wrapped.
 *
 * @throws TapError `not-wrapped`; `changed` with the difference, if somebody changed the entry; InstallError
 */
export async function unwrapEntry(where: ClientFile, store: WrapStore, name: string): Promise<UnwrapOutcome> {
  const { client, file } = where
  const wrap = await store.find({ client: client.id, file, name })
  if (wrap === undefined)
    throw new TapError('not-wrapped', `"${name}" in ${file} was not wrapped by this profile of Patchbay`)
  const tools = await editing(client, file)
  let outcome: Unwrapped = { type: 'gone' }
  await inFile(file, () =>
    changeConfigText(where, (text = '') => {
      outcome = unwrapText(tools, text, { path: client.path, name }, wrap)
      return outcome.type === 'restored' ? outcome.text : text
    }),
  )
  const result = outcomeOf(outcome)
  if (typeof result !== 'string')
    throw new TapError(
      'changed',
      `"${name}" in ${file} was changed after it was wrapped, so it is left as it is:\n${changesText(result.changes)}\nWhat it was before: ${summaryOf(wrap.original)}. Edit it by hand; then "patchbay tap unwrap ${client.id} ${name} --forget" forgets it.`,
    )
  await store.remove(wrap)
  return result
}

function outcomeOf(outcome: Unwrapped): UnwrapOutcome | { readonly changes: readonly Change[] } {
  if (outcome.type === 'changed') return { changes: outcome.comparison.changes }
  if (outcome.type !== 'restored') return outcome.type
  return outcome.isExact ? 'restored' : 'restored-values'
}

/** The entries of a client's file, as they stand to taps. Changes nothing. @throws InstallError `broken` */
export async function wrapStates(where: ClientFile, store: WrapStore): Promise<readonly WrapState[]> {
  const { client, file } = where
  const tools = await editing(client, file)
  const entries = await inFile(file, async () =>
    tools.entriesOf((await readConfigText(file)) ?? '', client.path),
  )
  const wraps = (await store.list()).filter((wrap) => wrap.client === client.id && wrap.file === file)
  const states = Object.entries(entries).map(([name, entry]) => stateOf(name, entry, wraps))
  const gone = wraps.filter(({ name }) => entries[name] === undefined)
  return [
    ...states,
    ...gone.map(({ name, original }) => ({ name, state: 'gone', summary: summaryOf(original) }) as const),
  ]
}

function stateOf(name: string, entry: unknown, wraps: readonly Wrap[]): WrapState {
  const summary = summaryOf(entry)
  const wrap = wraps.find((each) => each.name === name)
  if (wrap !== undefined) {
    const compared = compareEntry(entry, wrap)
    if (compared.type === 'changed')
      return { name, state: 'changed', summary, changes: compared.comparison.changes }
    if (compared.type === 'wrapped') return { name, state: 'wrapped', summary }
  }
  if (startsTap(entry)) return { name, state: 'foreign', summary }
  return { name, state: isStdioEntry(entry) ? 'not-wrapped' : 'address', summary }
}

/** Changes of an entry, a line each. Values that may be secrets are not shown. */
export function changesText(changes: readonly Change[]): string {
  return changes
    .map((change) => {
      const { kind, pointer } = change
      const shown = (value: unknown): string =>
        /^\/(?:env|headers)\b/.test(pointer) ? '…' : JSON.stringify(value)
      if (kind === 'added') return `  + ${pointer}: ${shown(change.after)}`
      if (kind === 'removed') return `  - ${pointer}: ${shown(change.before)}`
      if (kind === 'moved') return `  > ${pointer}: was ${change.from}`
      return `  ~ ${pointer}: ${shown(change.before)} → ${shown(change.after)}`
    })
    .join('\n')
}
