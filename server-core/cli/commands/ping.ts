import { ping as signOfLife } from '../../client/requests/ping.ts'
import type { ClientCommand } from './client-command.ts'
import { ExitCode } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeText } from '../output/output.ts'
import { useServer } from '../connection/server-session.ts'
import { progressOutput } from './progress-output.ts'

type PingCommand = Extract<ClientCommand, { type: 'ping' }>

/** `patchbay ping`: how long connecting took, and each sign of life after it. */
export async function ping(command: PingCommand, signal: AbortSignal): Promise<ExitCode> {
  const beganAt = performance.now()
  const times = await useServer(
    command,
    signal,
    async (connection) => {
      const connectMs = performance.now() - beganAt
      const pingMs: number[] = []
      for (let count = 0; count < command.count; count += 1)
        pingMs.push(await signOfLife(connection, { signal }))
      const { transport, revision } = connection
      return { transport, revision, connectMs: rounded(connectMs), pingMs: pingMs.map(rounded) }
    },
    { listeners: progressOutput(command) },
  )
  if (!isForPerson(command.json)) await writeJson(times)
  else {
    const { transport, revision, connectMs, pingMs } = times
    const lines = pingMs.map((ms, index) => `ping ${index + 1}: ${ms} ms`)
    await writeText([`connected over ${transport}, ${revision}, in ${connectMs} ms`, ...lines].join('\n'))
  }
  return ExitCode.ok
}

/** Milliseconds to the hundredth. */
function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
