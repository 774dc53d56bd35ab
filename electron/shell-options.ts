import { parseArgs } from 'node:util'

export type ShellOptions = {
  /** Data folder; undefined means the product's default. */
  readonly profile?: string
  readonly workspace?: string
  /** Port of the embedded server; 0 means any. */
  readonly mcpPort?: number
  /** Process id of the launcher; the shell ends with it. */
  readonly launcher?: number
}

/**
 * Reads the shell's own flags from a command line that also carries Chromium's and a debugger's. Takes the
 * arguments after the executable; unknown ones are left to Electron. Throws if a port is not a port.
 */
export function parseShellOptions(args: readonly string[]): ShellOptions {
  const { values } = parseArgs({
    args: [...args],
    strict: false,
    options: {
      profile: { type: 'string' },
      workspace: { type: 'string' },
      'mcp-port': { type: 'string' },
      launcher: { type: 'string' },
    },
  })
  const { profile, workspace, 'mcp-port': portText, launcher } = values
  return {
    ...(typeof profile === 'string' && { profile }),
    ...(typeof workspace === 'string' && { workspace }),
    ...(typeof portText === 'string' && { mcpPort: parsePort(portText) }),
    ...(typeof launcher === 'string' && /^\d+$/.test(launcher) && { launcher: Number(launcher) }),
  }
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new Error(`--mcp-port expects a number from 0 to 65535, got "${text}"`)
  }
  return port
}
