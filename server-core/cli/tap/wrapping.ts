import path from 'node:path'
import { InstallError } from '../../install/install-error.ts'
import { CLIENTS } from '../../install/clients.ts'
import { defaultProfile, profileFiles } from '../../profile/profile-files.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import {
  changesText,
  unwrapEntry,
  wrapEntry,
  wrapStates,
  type UnwrapOutcome,
  type WrapState,
} from '../../tap/wrap/wrap-entry.ts'
import { WrapStore } from '../../tap/wrap/wrap-store.ts'
import { fileOf } from '../mcp/client-files.ts'
import { ownLauncher } from '../mcp/own-launcher.ts'
import { ExitCode } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeText } from '../output/output.ts'
import type { TapCommand } from './tap-flags.ts'

type Action<Name extends TapCommand['action']> = Extract<TapCommand, { readonly action: Name }>

const LONGEST_SUMMARY = 120

/** `patchbay tap wrap`. */
export async function wrap(command: Action<'wrap'>): Promise<ExitCode> {
  const where = await fileOf(command.client, command)
  const { server: name, profile } = command
  // A client has the variables of the desktop, not those of this shell that move the data folder.
  const moved = process.env['XDG_DATA_HOME'] === undefined ? undefined : defaultProfile()
  const data = profile === undefined ? moved : path.resolve(profile)
  const { original, wrapped, file } = await wrapEntry(where, storeOf(command), {
    name,
    launcher: ownLauncher(),
    ...(data !== undefined && { profile: data }),
  })
  if (!isForPerson(command.json))
    await writeJson({ client: command.client, file, name, change: 'wrapped', original, wrapped })
  else
    await writeText(
      `"${name}" in ${file} starts a tap now. Restart ${where.client.title} to use it.\n"patchbay tap unwrap ${command.client} ${name}" restores the entry.`,
    )
  return ExitCode.ok
}

const OUTCOMES: Readonly<Record<UnwrapOutcome, string>> = {
  restored: 'is as it was before, byte for byte',
  'restored-values': 'has its values from before; the file was laid out again since, so its bytes differ',
  'as-before': 'was as before already',
  gone: 'is no longer there, and was forgotten',
}

/** `patchbay tap unwrap`. */
export async function unwrap(command: Action<'unwrap'>): Promise<ExitCode> {
  const { server: name, client, json } = command
  const where = await fileOf(client, command)
  const store = storeOf(command)
  if (command.forget) {
    await store.remove({ client, file: where.file, name })
    if (isForPerson(json)) await writeText(`"${name}" in ${where.file} was forgotten and left as it is.`)
    else await writeJson({ client, file: where.file, name, change: 'forgotten' })
    return ExitCode.ok
  }
  const change = await unwrapEntry(where, store, name)
  if (isForPerson(json)) await writeText(`"${name}" in ${where.file} ${OUTCOMES[change]}.`)
  else await writeJson({ client, file: where.file, name, change })
  return ExitCode.ok
}

/** `patchbay tap status`. */
export async function status(command: Action<'status'>): Promise<ExitCode> {
  const store = storeOf(command)
  const ids = command.clients.length === 0 ? CLIENTS.map(({ id }) => id) : command.clients
  const found: {
    client: string
    title: string
    file: string
    entries?: readonly WrapState[]
    problem?: string
  }[] = []
  for (const id of ids) {
    try {
      const where = await fileOf(id, command)
      const shown = { client: id, title: where.client.title, file: where.file }
      const states = await wrapStates(where, store).catch((error: unknown) => {
        if (error instanceof InstallError) return error
        throw error
      })
      if (states instanceof InstallError) found.push({ ...shown, problem: states.message })
      else if (states.length > 0 || command.clients.length > 0) found.push({ ...shown, entries: states })
    } catch (error) {
      // Some read no file of a project; that is only worth a word where they were asked for.
      if (!(error instanceof InstallError) || command.clients.length > 0) throw error
    }
  }
  if (!isForPerson(command.json)) await writeJson(found)
  else if (found.length === 0) await writeText('No client on this machine has a server.')
  else await writeText(found.map(statusText).join('\n'))
  return ExitCode.ok
}

const STATES: Readonly<Record<WrapState['state'], string>> = {
  wrapped: 'wrapped',
  'not-wrapped': 'not wrapped',
  address: 'an address, not wrapped',
  changed: 'was wrapped, and changed since',
  foreign: 'starts a tap that this profile did not write',
  gone: 'was wrapped, and removed since',
}

function statusText({
  title,
  file,
  entries = [],
  problem,
}: {
  readonly title: string
  readonly file: string
  readonly entries?: readonly WrapState[]
  readonly problem?: string
}): string {
  if (problem !== undefined) return `${title}: ${problem}`
  const lines = entries.flatMap(({ name, state, summary, changes = [] }) => [
    `  ${visibleLine(name, LONGEST_SUMMARY)}: ${STATES[state]}`,
    `    ${visibleLine(summary, LONGEST_SUMMARY)}`,
    ...(changes.length > 0 ? [changesText(changes)] : []),
  ])
  return [`${title}: ${file}`, ...(lines.length === 0 ? ['  no server'] : lines)].join('\n')
}

function storeOf({ profile }: { readonly profile?: string }): WrapStore {
  return new WrapStore(profileFiles(profile ?? defaultProfile()).taps, 'leave')
}
