import { ConnectError, type ProbeStep } from '../../client/errors.ts'
import type { ClientCommand } from './client-command.ts'
import { describeServer } from '../output/describe.ts'
import { ExitCode } from '../output/exit-code.ts'
import { isForPerson, writeStderr, writeJson, writeText } from '../output/output.ts'
import { useServer } from '../connection/server-session.ts'
import { progressOutput } from './progress-output.ts'

type DiscoverCommand = Extract<ClientCommand, { type: 'discover' }>

/** `patchbay discover`: how a server was found, and what was agreed on with it. */
export async function discover(command: DiscoverCommand, signal: AbortSignal): Promise<ExitCode> {
  const steps: ProbeStep[] = []
  const found = await useServer(
    command,
    signal,
    (connection) => {
      const { transport, revision, serverInfo, capabilities, instructions } = connection
      return Promise.resolve({
        transport,
        revision,
        steps: connection.steps,
        ...(serverInfo !== undefined && { serverInfo }),
        capabilities,
        ...(instructions !== undefined && { instructions }),
        declared: connection.declaration,
      })
    },
    { listeners: progressOutput(command), onStep: (step) => steps.push(step) },
  ).catch((error: unknown) => {
    // What was tried says more about a server that was not found than its last answer.
    const told = (error instanceof ConnectError ? error.steps : steps).map(
      ({ step, outcome }) => `  ${step}: ${outcome}`,
    )
    if (told.length > 0) writeStderr(['What was tried:', ...told].join('\n'))
    throw error
  })
  if (isForPerson(command.json)) await writeText(describeServer(found))
  else await writeJson(found)
  return ExitCode.ok
}
