import { choicesOf } from '../../profile/choices.ts'
import { approvalKey } from '../../profile/approvals.ts'
import { UnreachableError, UsageError } from '../output/exit-code.ts'
import { ownCommand } from '../output/own-command.ts'
import { openServerStore } from './open-server-store.ts'
import type { DirectTarget, Target } from './target.ts'

type Stored = Extract<Target, { type: 'stored' }>

/**
 * Reads a stored server with its secrets. Throws a `HostError` if there is none of that name, and an
 * `UnreachableError` if what is stored was not approved as it is now or
 * its secrets cannot be opened here, and a `StorageError` if a file cannot be used; no file is changed.
 */
export async function storedServer(stored: Stored): Promise<DirectTarget> {
  const { storedServers: storedServers, file } = await openServerStore(stored)
  const { entry, approval, target, locked } = await storedServers.named(stored.name)
  if (locked !== undefined) {
    throw new UnreachableError(
      `"${stored.name}" is not started: its secrets are in the key chain, which the command line cannot open. Use it in Patchbay's window, or name the server here with --url or -- COMMAND.`,
    )
  }
  if (approval !== 'approved') {
    const why = approval === 'needed' ? 'was never approved' : 'was changed after it was approved'
    throw new UnreachableError(
      `"${stored.name}" ${why}, so it is not used. Look at what it runs or sends and approve it: ${ownCommand()} servers approve ${JSON.stringify(stored.name)}, or in the window.`,
    )
  }
  const choices = {
    ...choicesOf(target),
    ...(stored.protocol !== undefined && { protocol: stored.protocol }),
    entry: { name: entry.name, key: approvalKey(file, entry.id) },
  }
  if (target.transport === 'stdio') {
    if (stored.transport !== undefined && stored.transport !== 'auto')
      throw new UsageError(`"${stored.name}" is a command, which uses stdio`)
    const { command, args, env, cwd } = target
    return { ...choices, type: 'command', command, args, env, cwd }
  }
  const bearer =
    target.bearerToken === undefined ? [] : [{ name: 'authorization', value: `Bearer ${target.bearerToken}` }]
  const { url, headers } = target
  const transport = stored.transport ?? target.transport
  return { ...choices, type: 'url', transport, url, headers: [...headers, ...bearer] }
}
