import type { ProcessRegistry } from '../../processes/process-registry.ts'
import { startCommand } from './process-handle.ts'
import type { ServerTarget } from './server-target.ts'

type NameAndValue = { readonly name: string; readonly value: string }

/** How a server is reached: by a command, or by an address. */
export type Reached =
  | {
      readonly command: string
      readonly args: readonly string[]
      readonly env: readonly NameAndValue[]
      readonly cwd?: string
    }
  | {
      readonly url: string
      readonly transport?: 'auto' | 'http' | 'sse' | 'websocket'
      readonly headers: readonly NameAndValue[]
    }

/**
 * The server as the probe reaches it. An address is tried as Streamable HTTP and as HTTP+SSE unless one was chosen.
 *
 * @param more headers beside those of the target, which win
 * @param processes keeps which processes of a command live
 */
export function targetOf(
  reached: Reached,
  more: Readonly<Record<string, string>> = {},
  processes?: ProcessRegistry,
): ServerTarget {
  if ('command' in reached) {
    const { command, args, env, cwd } = reached
    const spec = {
      command,
      args,
      env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
      ...(cwd !== undefined && { cwd }),
      ...(processes !== undefined && { processes }),
    }
    return { stdio: (variables) => startCommand(spec, variables) }
  }
  const { url, transport = 'auto' } = reached
  const headers = { ...more, ...Object.fromEntries(reached.headers.map(({ name, value }) => [name, value])) }
  if (/^wss?:/i.test(url)) return { websocket: url, headers }
  return {
    headers,
    ...(transport !== 'sse' && { http: url }),
    ...(transport !== 'http' && { sse: url }),
  }
}
