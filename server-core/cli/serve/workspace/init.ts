import { existsSync } from 'node:fs'
import path from 'node:path'
import { makeWorkspace } from '../../../workspace/new-workspace.ts'
import { writeWorkspaceTypes } from '../../../workspace/workspace-types.ts'
import { ExitCode } from '../../output/exit-code.ts'
import { writeText } from '../../output/output.ts'
import { workspaceTypes } from './program-folder.ts'

/** `patchbay init`: makes a workspace; what is there stays. Rejects with a `StorageError`. */
export async function init({ folder }: { readonly folder: string }): Promise<ExitCode> {
  const place = path.resolve(folder)
  const { written, kept } = await makeWorkspace(place)
  const types = workspaceTypes()
  if (existsSync(types)) await writeWorkspaceTypes(place, types)
  const lines = [
    ...written.map((file) => `made ${file}`),
    ...kept.map((file) => `kept ${file}, which was there`),
    '',
    `Serve it with: patchbay serve ${folder} --trust`,
  ]
  await writeText(lines.join('\n'))
  return ExitCode.ok
}
