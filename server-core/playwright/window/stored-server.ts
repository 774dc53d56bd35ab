import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { messageOf } from '../../protocol/error-message.ts'
import { NO_TAP } from '../../ports/tap.ts'
import type { ServerOption } from '../options.ts'
import { patchbayProgram } from '../server/package-program.ts'
import type { TestedServer } from '../server/tested-server.ts'
import { TestSetupError } from '../test-error.ts'

const run = promisify(execFile)

/** The name of the server under test in the window. */
export const STORED_NAME = 'tested'

/** Stores the server under test in a profile, approved, as `patchbay servers add` and `approve` do. */
export async function storeServer(server: TestedServer, profile: string): Promise<void> {
  const target = await targetOf(server)
  await patchbay(['servers', 'add', STORED_NAME, '--profile', profile, ...target])
  await patchbay(['servers', 'approve', STORED_NAME, '--yes', '--profile', profile])
}

/** The server as flags of the command line. One that the test runs in its own process listens for this. */
async function targetOf(server: TestedServer): Promise<readonly string[]> {
  const option: ServerOption | undefined = server.option
  if (option !== undefined && 'command' in option && option.url === undefined) {
    const { command, args = [], env = {}, cwd } = option
    const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    return [...variables, '--cwd', cwd ?? process.cwd(), '--', command, ...args]
  }
  const isRunning = option !== undefined && ('url' in option || 'command' in option)
  await server.reach(isRunning ? 'auto' : 'http', NO_TAP)
  if (server.url === undefined)
    throw new TestSetupError('server', `${String(server)} cannot be shown in the window`)
  const headers = option !== undefined && 'headers' in option ? Object.entries(option.headers ?? {}) : []
  return ['--url', server.url, ...headers.flatMap(([name, value]) => ['--header', `${name}: ${value}`])]
}

async function patchbay(words: readonly string[]): Promise<void> {
  const { command, args } = patchbayProgram()
  try {
    await run(command, [...args, ...words], { timeout: 60_000 })
  } catch (error) {
    throw new TestSetupError('server', `patchbay ${words.join(' ')} failed: ${messageOf(error)}`, {
      cause: error,
    })
  }
}
