import path from 'node:path'
import { chooseSecretStore } from '../host/choose-secret-store.ts'
import { defaultProfile } from '../host/profile.ts'
import { choicesOf } from '../host/servers/choices.ts'
import { ServerBook } from '../host/servers/server-book.ts'
import { approvalKey } from '../workspace/approvals.ts'
import { profileFiles, workspaceFile } from '../workspace/profile.ts'
import { UnreachableError, UsageError } from './exit-code.ts'
import type { DirectTarget, Target } from './target.ts'

type Stored = Extract<Target, { type: 'stored' }>

/**
 * Reads a stored server with its secrets. Throws a `HostError` if there is none of that name, and an
 * `UnreachableError` if what is stored was not approved as it is now or
 * its secrets cannot be opened here, and a `StorageError` if a file cannot be used; no file is changed.
 */
export async function storedServer(stored: Stored): Promise<DirectTarget> {
  const files = profileFiles(stored.profile ?? defaultProfile())
  const folder = stored.workspace ?? files.defaultWorkspace
  // A command that only looks moves nothing aside: a file that cannot be used is told and left as it is.
  const { store } = await chooseSecretStore(files, undefined, 'leave')
  const book = new ServerBook({
    file: workspaceFile(folder),
    approvalsFile: files.approvals,
    secretStore: store,
    folder: path.resolve(folder),
    onSetAside: 'leave',
  })
  const { entry, approval, target, locked } = await book.named(stored.name)
  if (locked !== undefined) {
    throw new UnreachableError(
      `"${stored.name}" is not started: its secrets are in the key chain, which the command line cannot open. Use it in Patchbay's window (npm start), or name the server here with --url or -- COMMAND.`,
    )
  }
  if (approval !== 'approved') {
    const why = approval === 'needed' ? 'was never approved' : 'was changed after it was approved'
    throw new UnreachableError(
      `"${stored.name}" ${why}, so it is not started. Open Patchbay (npm start), look at what it would run or send, and approve it there.`,
    )
  }
  const choices = {
    ...choicesOf(target),
    ...(stored.protocol !== undefined && { protocol: stored.protocol }),
    entry: { name: entry.name, key: approvalKey(workspaceFile(folder), entry.id) },
  }
  if (target.transport === 'stdio') {
    if (stored.transport !== undefined && stored.transport !== 'auto')
      throw new UsageError(`"${stored.name}" is a command, which is spoken to over stdio`)
    const { command, args, env, cwd } = target
    return { ...choices, type: 'command', command, args, env, cwd }
  }
  const bearer =
    target.bearerToken === undefined ? [] : [{ name: 'authorization', value: `Bearer ${target.bearerToken}` }]
  const { url, headers } = target
  const transport = stored.transport ?? target.transport
  return { ...choices, type: 'url', transport, url, headers: [...headers, ...bearer] }
}
