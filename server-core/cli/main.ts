import type { ClientCommand } from './client-command.ts'
import { readCommand, type Command } from './command.ts'
import { ExitCode, UsageError } from './exit-code.ts'
import { productVersion } from '../host/version.ts'
import { tell, writeText } from './output.ts'

/** Runs one command line (the words after `patchbay`) and gives its exit code. Never rejects. */
export async function main(words: readonly string[]): Promise<ExitCode> {
  const ending = new AbortController()
  // A listener that goes when it is called would leave those of packages alone, which then kill the process.
  const end = (name: NodeJS.Signals) => {
    if (ending.signal.aborted) {
      process.off(name, end)
      process.kill(process.pid, name)
    }
    ending.abort(new Error('interrupted'))
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, end)
  // Whoever read our answer has seen enough.
  process.stdout.on('error', () => process.exit(ExitCode.ok))
  let command: Command | undefined
  try {
    command = await readCommand(words)
    return await run(command, ending.signal)
  } catch (error) {
    if (error instanceof UsageError) {
      tell(`patchbay: ${error.message}\nRun it with --help to see how it is used.`)
      return ExitCode.usage
    }
    const { describeFailure } = await import('./failure.ts')
    const { code, text } = describeFailure(error, isStored(command) ? 'stored' : 'flags')
    tell(`patchbay: ${text}`)
    return code
  }
}

async function run(command: Command, signal: AbortSignal): Promise<ExitCode> {
  switch (command.type) {
    case 'help':
      await writeText((await import('./usage.ts')).USAGE[command.topic])
      return ExitCode.ok
    case 'version':
      await writeText(productVersion)
      return ExitCode.ok
    case 'serve':
      return (await import('./serve.ts')).serve(command, signal)
    case 'init':
      return (await import('./init.ts')).init(command)
    case 'proxy':
      return (await import('./proxy.ts')).proxy(command, signal)
    case 'mcp':
      return (await import('./mcp.ts')).mcp(command, signal)
    case 'import':
      return (await import('./import-servers.ts')).importServers(command)
    default:
      return runClientCommand(command, signal)
  }
}

/** Each command is loaded alone. */
async function runClientCommand(command: ClientCommand, signal: AbortSignal): Promise<ExitCode> {
  switch (command.type) {
    case 'list':
      return (await import('./commands/list.ts')).list(command, signal)
    case 'call':
      return (await import('./commands/call.ts')).call(command, signal)
    case 'read':
      return (await import('./commands/read.ts')).read(command, signal)
    case 'get':
      return (await import('./commands/get.ts')).get(command, signal)
    case 'complete':
      return (await import('./commands/complete.ts')).complete(command, signal)
    case 'subscribe':
      return (await import('./commands/subscribe.ts')).subscribe(command, signal)
    case 'ping':
      return (await import('./commands/ping.ts')).ping(command, signal)
    case 'discover':
      return (await import('./commands/discover.ts')).discover(command, signal)
    case 'raw':
      return (await import('./commands/raw.ts')).raw(command, signal)
  }
}

function isStored(command: Command | undefined): boolean {
  return command !== undefined && 'target' in command && command.target.type === 'stored'
}
