import { TapError } from '../../tap/tap-error.ts'
import { StartError, UsageError, type ExitCode } from '../output/exit-code.ts'
import type { TapCommand } from './tap-flags.ts'

/** `patchbay tap`. Over stdio the process ends as the server ends. Rejects with an error that has cause and remedy. */
export async function tap(command: TapCommand, signal: AbortSignal): Promise<ExitCode> {
  try {
    return await run(command, signal)
  } catch (error) {
    if (!(error instanceof TapError)) throw error
    if (['not-built', 'changed', 'swap', 'no-tap'].includes(error.code))
      throw new StartError(error.message, { cause: error })
    throw new UsageError(error.message, { cause: error })
  }
}

async function run(command: TapCommand, signal: AbortSignal): Promise<ExitCode> {
  switch (command.action) {
    case 'stdio': {
      const { runStdioTap } = await import('../../tap/stdio/stdio-tap.ts')
      return runStdioTap(command.options)
    }
    case 'http':
      return (await import('./http.ts')).tapUrl(command, signal)
    case 'wrap':
      return (await import('./wrapping.ts')).wrap(command)
    case 'unwrap':
      return (await import('./wrapping.ts')).unwrap(command)
    case 'swap':
      return (await import('./swapping.ts')).swap(command)
    case 'status':
      return (await import('./wrapping.ts')).status(command)
  }
}
