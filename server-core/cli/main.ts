import type { ClientCommand } from './commands/client-command.ts'
import { readCommand, type Command } from './command.ts'
import { COMMANDS } from './flags/command-names.ts'
import { ExitCode, UsageError } from './output/exit-code.ts'
import { ownCommand } from './output/own-command.ts'
import type { FailurePlace } from '../diagnosis/explain-failure.ts'
import { productVersion } from '../host/version.ts'
import { beQuiet, writeStderr, writeText } from './output/output.ts'

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
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, end)
  process.on('SIGHUP', ignoresHangup() ? () => undefined : end)
  // Whoever read our answer has seen enough.
  process.stdout.on('error', () => process.exit(ExitCode.ok))
  let command: Command | undefined
  try {
    command = await readCommand(words)
    return await run(command, ending.signal)
  } catch (error) {
    if (error instanceof UsageError) {
      const name = COMMANDS.find((known) => known === words[0])
      const where = name === undefined ? '--help' : `${name} --help`
      writeStderr(`patchbay: ${error.message}\n"${ownCommand()} ${where}" shows how it is used.`)
      return ExitCode.usage
    }
    const { describeFailure } = await import('./connection/failure.ts')
    const { code, text } = describeFailure(error, placeOf(command), commandEnvironment(command))
    writeStderr(`patchbay: ${text}`)
    return code
  }
}

/** Whether `bin/patchbay` was started with SIGHUP ignored (nohup), which Node resets. */
function ignoresHangup(): boolean {
  const ignores = process.env['PATCHBAY_IGNORE_HANGUP'] !== undefined
  // What is started from here decides for itself.
  delete process.env['PATCHBAY_IGNORE_HANGUP']
  return ignores
}

async function run(command: Command, signal: AbortSignal): Promise<ExitCode> {
  if ('quiet' in command) beQuiet()
  if ('certificates' in command)
    (await import('./connection/trusted-certificates.ts')).trustCertificates(command.certificates)
  switch (command.type) {
    case 'help':
      return help(command)
    case 'version':
      await writeText(productVersion)
      return ExitCode.ok
    case 'serve':
      return (await import('./serve/serve.ts')).serve(command.flags, signal)
    case 'test':
      return (await import('./testing/test.ts')).test(command, signal)
    case 'init':
      if (command.tests === true) return (await import('./testing/new-tests.ts')).initTests(command)
      return (await import('./serve/workspace/init.ts')).init(command)
    case 'check':
      return (await import('./check/check.ts')).check(command, signal)
    case 'exam':
      return (await import('./exam/exam.ts')).exam(command, signal)
    case 'lock':
      return (await import('./lock/lock.ts')).lock(command, signal)
    case 'fuzz':
      return (await import('./fuzz/fuzz.ts')).fuzz(command, signal)
    case 'load':
      return (await import('./load/load.ts')).load(command, signal)
    case 'proxy':
      return (await import('./proxy/proxy.ts')).proxy(command, signal)
    case 'mcp':
      return (await import('./mcp/mcp.ts')).mcp(command, signal)
    case 'import':
      return (await import('./mcp/import-servers.ts')).importServers(command)
    case 'servers':
      return (await import('./servers/servers.ts')).servers(command, signal)
    case 'recordings':
    case 'show':
      return (await import('./recordings/recordings.ts')).recordings(command)
    case 'replay':
      return (await import('./replay/replay.ts')).replay(command, signal)
    case 'diff':
      return (await import('./diff/diff.ts')).diff(command)
    case 'tap':
      return (await import('./tap/tap.ts')).tap(command, signal)
    case 'open':
      return (await import('./open/open-window.ts')).openWindow(command, signal)
    case 'desktop':
      return (await import('./open/open-desktop.ts')).openDesktop(command, signal)
    case 'doctor':
      return (await import('./doctor/doctor.ts')).doctor(command)
    default:
      return runClientCommand(command, signal)
  }
}

async function help({ topic }: Extract<Command, { type: 'help' }>): Promise<ExitCode> {
  await writeText((await import('./help/usage.ts')).USAGE[topic])
  return ExitCode.ok
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
    case 'types':
      return (await import('./commands/types.ts')).types(command, signal)
    case 'raw':
      return (await import('./commands/raw.ts')).raw(command, signal)
  }
}

/** Where the user can change what failed. */
function placeOf(command: Command | undefined): FailurePlace {
  return command !== undefined && 'target' in command && command.target.type === 'stored' ? 'stored' : 'flags'
}

/** The names of the variables that a command line gives to the server it starts; undefined if it starts none. */
function commandEnvironment(command: Command | undefined): readonly string[] | undefined {
  if (command === undefined || !('target' in command) || command.target.type !== 'command') return undefined
  return command.target.env.map(({ name }) => name)
}
