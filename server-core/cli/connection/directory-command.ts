import { realpathSync } from 'node:fs'

export type DirectoryCommand = {
  /** Absolute. */
  readonly directory: string
  /** The user trusts it for this run. */
  readonly trust: boolean
  readonly profile?: string
}

/** The command that serves the scripts of a directory over stdio, by this very command line. */
export function directoryCommand({ directory, trust, profile }: DirectoryCommand): {
  readonly command: string
  readonly args: readonly string[]
} {
  return {
    command: process.execPath,
    args: [
      realpathSync(process.argv[1] ?? ''),
      ...['serve', directory, '--stdio', '--log-level', 'warning'],
      ...(trust ? ['--trust'] : []),
      ...(profile === undefined ? [] : ['--profile', profile]),
    ],
  }
}
