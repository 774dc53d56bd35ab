import os from 'node:os'
import path from 'node:path'
import { clientFile, type ClientFile, type FileChoice, type Surroundings } from '../install/client-file.ts'
import { clientOf, type ClientId } from '../install/clients.ts'
import type { FileFlags } from './mcp-flags.ts'

/** This machine, as the places of clients depend on it. */
export function here(): Surroundings {
  return { platform: process.platform, env: process.env, home: os.homedir() }
}

/** The file of a client that the flags mean. Throws an `InstallError` if it has none there. */
export function fileOf(client: ClientId, flags: FileFlags): Promise<ClientFile> {
  return clientFile(clientOf(client), here(), choiceOf(flags))
}

function choiceOf({ project, file }: FileFlags): FileChoice {
  if (file !== undefined) return { type: 'named', file: path.resolve(file) }
  return project === undefined ? { type: 'user' } : { type: 'project', folder: path.resolve(project) }
}
