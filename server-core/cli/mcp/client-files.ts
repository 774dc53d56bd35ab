import path from 'node:path'
import { thisMachine } from '../../host/install/launcher.ts'
import { clientFile, type ClientFile, type FileChoice } from '../../install/client-file.ts'
import { clientOf, type ClientId } from '../../install/clients.ts'
import type { FileFlags } from './mcp-flags.ts'

/** The file of a client that the flags mean. Throws an `InstallError` if it has none there. */
export function fileOf(client: ClientId, flags: FileFlags): Promise<ClientFile> {
  return clientFile(clientOf(client), thisMachine(), choiceOf(flags))
}

function choiceOf({ project, file }: FileFlags): FileChoice {
  if (file !== undefined) return { type: 'named', file: path.resolve(file) }
  return project === undefined ? { type: 'user' } : { type: 'project', folder: path.resolve(project) }
}
