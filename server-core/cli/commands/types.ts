import { toolDeclarations } from '../../tool-types/tool-declarations.ts'
import type { ClientCommand } from './client-command.ts'
import { useServer } from '../connection/server-session.ts'
import { ExitCode } from '../output/exit-code.ts'
import { writeJson, writeStderr, writeText } from '../output/output.ts'
import { progressOutput } from './progress-output.ts'

type TypesCommand = Extract<ClientCommand, { type: 'types' }>

/** `patchbay types`: a TypeScript declaration of the tools of a server, for `mcp-patchbay/test`. */
export async function types(command: TypesCommand, signal: AbortSignal): Promise<ExitCode> {
  const listed = await useServer(command, signal, (connection) => connection.listTools({ signal }), {
    listeners: progressOutput(command),
  })
  const { items, malformed, problem } = listed
  const told = malformed.map(({ index, reason }) => `tool ${index} is left out: ${reason}`)
  for (const text of [...told, ...(problem === undefined ? [] : [problem])]) writeStderr(`patchbay: ${text}`)
  const declaration = toolDeclarations(items, 'patchbay types')
  // A declaration is text for a file, in a pipe too; only --json asks for something else.
  if (command.json) await writeJson({ declaration })
  else await writeText(declaration.trimEnd())
  return told.length === 0 && problem === undefined ? ExitCode.ok : ExitCode.toolError
}
