import path from 'node:path'
import { defaultProfile } from '../host/profile.ts'
import { ServerBook } from '../host/servers/server-book.ts'
import { profileFiles, workspaceFile } from '../workspace/profile.ts'
import { PlainFileSecretStore } from '../workspace/secret-files.ts'
import type { SetAside } from '../workspace/document-file.ts'
import { UnreachableError } from './exit-code.ts'
import type { Target } from './target.ts'

type Stored = Extract<Target, { type: 'stored' }>
type Direct = Exclude<Target, Stored>

/**
 * Reads a stored server with its secrets. Throws a `HostError` if there is none of that name, and an
 * `UnreachableError` if what is stored was not approved as it is now.
 */
export async function storedServer(stored: Stored): Promise<Direct> {
  const files = profileFiles(stored.profile ?? defaultProfile())
  const folder = stored.workspace ?? files.defaultWorkspace
  const book = new ServerBook({
    file: workspaceFile(folder),
    approvalsFile: files.approvals,
    secretStore: new PlainFileSecretStore(files.secrets, tellSetAside),
    folder: path.resolve(folder),
    onSetAside: tellSetAside,
  })
  const { approval, target } = await book.named(stored.name)
  if (approval !== 'approved') {
    const why = approval === 'needed' ? 'was never approved' : 'was changed after it was approved'
    throw new UnreachableError(
      `"${stored.name}" ${why}, so it is not started. Open Patchbay (npm start), look at what it would run or send, and approve it there.`,
    )
  }
  if (target.transport === 'stdio') {
    return { type: 'command', command: target.command, args: target.args, env: target.env, cwd: target.cwd }
  }
  const bearer =
    target.bearerToken === undefined ? [] : [{ name: 'authorization', value: `Bearer ${target.bearerToken}` }]
  return { type: 'url', url: target.url, headers: [...target.headers, ...bearer] }
}

function tellSetAside({ file, keptAs, reason }: SetAside): void {
  console.error(`patchbay: ${file} could not be used (${reason}); it is kept as ${keptAs}`)
}
