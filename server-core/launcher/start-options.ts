import path from 'node:path'
import { parseArgs } from 'node:util'
import type { WindowOptions } from '../host/window/window-options.ts'
import { messageOf } from '../protocol/error-message.ts'

/** How the window is shown: in Electron, in the user's browser, or not at all (its address is printed). */
export type WindowMode = 'desktop' | 'browser' | 'headless'

export type StartOptions = WindowOptions & { readonly mode: WindowMode }

export type StartCommand =
  | { readonly type: 'start'; readonly options: StartOptions }
  | { readonly type: 'help' }
  | { readonly type: 'usage-error'; readonly message: string }

export const START_HELP = `Usage: npm start -- [options]

Opens Patchbay's window: on the desktop, or in the browser where there is no desktop.

  --browser          show the window in the browser
  --headless         show no window, print its address
  --workspace DIR    the workspace to open
  --profile DIR      the folder for settings, secrets and saved data
  --port N           the port of the window in the browser (0: any free one, the default)
  --mcp-port N       the port of the server that Patchbay hosts (0: any free one)
  --help             this text

Relative folders count from where you are. Ctrl-C ends everything.`

/** Reads the flags of `npm start`. Relative folders are resolved against `from`. Never throws. */
export function readStartCommand(args: readonly string[], from: string): StartCommand {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        browser: { type: 'boolean' },
        headless: { type: 'boolean' },
        workspace: { type: 'string' },
        profile: { type: 'string' },
        port: { type: 'string' },
        'mcp-port': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help === true) return { type: 'help' }
    const mcpPort = readPort('--mcp-port', values['mcp-port'])
    return {
      type: 'start',
      options: {
        mode: values.headless === true ? 'headless' : values.browser === true ? 'browser' : 'desktop',
        port: readPort('--port', values.port) ?? 0,
        ...(mcpPort !== undefined && { mcpPort }),
        ...(values.workspace !== undefined && { workspace: folder('--workspace', values.workspace, from) }),
        ...(values.profile !== undefined && { profile: folder('--profile', values.profile, from) }),
      },
    }
  } catch (error) {
    const message = messageOf(error)
    return { type: 'usage-error', message: message.split('. To specify')[0] ?? message }
  }
}

function readPort(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`${flag} expects a number from 0 to 65535, got "${text}"`)
  return port
}

function folder(flag: string, text: string, from: string): string {
  if (text === '') throw new Error(`${flag} expects a folder, got an empty text`)
  return path.resolve(from, text)
}
