import { readImportable } from '../../host/install/importable.ts'
import { CLIENTS } from '../../install/clients.ts'
import { InstallError } from '../../install/install-error.ts'
import { fileOf } from './client-files.ts'
import { ExitCode } from '../output/exit-code.ts'
import type { ImportCommand } from './mcp-flags.ts'
import { ownCommand } from '../output/own-command.ts'
import { openServerStore } from '../connection/open-server-store.ts'
import { isForPerson, writeStderr, writeJson, writeText } from '../output/output.ts'

/** `patchbay import`: stores the servers of other clients, unapproved, as the window does. */
export async function importServers(command: ImportCommand): Promise<ExitCode> {
  const { storedServers: store } = await openServerStore(command)
  const results = []
  for (const id of command.clients.length === 0 ? CLIENTS.map((client) => client.id) : command.clients) {
    const where = await fileOf(id, command).catch((error: unknown) => {
      if (error instanceof InstallError && command.clients.length === 0) return undefined
      throw error
    })
    if (where === undefined) continue
    const { servers, problems, file } = await readImportable(where, await store.list())
    const added: string[] = []
    for (const { draft, isThere } of servers) {
      if (isThere) continue
      if (!command.dryRun) await store.add(draft, 'imported')
      added.push(draft.name)
    }
    // Clients that were not named and have nothing are not worth a word.
    if (servers.length + problems.length === 0 && command.clients.length === 0) continue
    const there = servers.filter(({ isThere }) => isThere).map(({ name }) => name)
    results.push({ client: id, title: where.client.title, file, added, there, problems })
  }
  if (!isForPerson(command.json)) await writeJson(results.map(({ title: _title, ...rest }) => rest))
  else await writeText(describe(results, command.dryRun))
  for (const { title, problems } of results)
    for (const { name, reason } of problems) writeStderr(`patchbay: ${title}, ${name}: ${reason}`)
  return ExitCode.ok
}

type Result = {
  readonly title: string
  readonly file: string
  readonly added: readonly string[]
  readonly there: readonly string[]
}

function describe(results: readonly Result[], dryRun: boolean): string {
  const lines = results
    .filter(({ added, there }) => added.length + there.length > 0)
    .map(({ title, file, added, there }) => {
      const parts = [
        ...(added.length > 0 ? [`${dryRun ? 'would store' : 'stored'} ${added.join(', ')}`] : []),
        ...(there.length > 0
          ? [`${there.join(', ')} ${there.length === 1 ? 'is' : 'are'} there already`]
          : []),
      ]
      return `${title} (${file}): ${parts.join('; ')}`
    })
  if (lines.length === 0) return 'There is no server in the files of other clients.'
  const isAnyStored = !dryRun && results.some(({ added }) => added.length > 0)
  return [
    ...lines,
    ...(isAnyStored
      ? [`Approve them before they can be used: ${ownCommand()} servers approve NAME, or in the window.`]
      : []),
  ].join('\n')
}
