import { startCommand } from '../../conformance/probe/process-handle.ts'
import type { ServerTarget } from '../../conformance/probe/server-target.ts'
import type { DirectTarget } from '../connection/target.ts'

/** The server as the probe reaches it. An address is tried as Streamable HTTP and as HTTP+SSE unless one was chosen. */
export function targetOf(direct: DirectTarget, more: Readonly<Record<string, string>> = {}): ServerTarget {
  if (direct.type === 'command') {
    const { command, args, env, cwd } = direct
    const spec = {
      command,
      args,
      env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
      ...(cwd !== undefined && { cwd }),
    }
    return { stdio: (variables) => startCommand(spec, variables) }
  }
  const { url, transport = 'auto' } = direct
  const headers = { ...more, ...Object.fromEntries(direct.headers.map(({ name, value }) => [name, value])) }
  if (/^wss?:/i.test(url)) return { websocket: url, headers }
  return {
    headers,
    ...(transport !== 'sse' && { http: url }),
    ...(transport !== 'http' && { sse: url }),
  }
}

/** The words that name a server on a command line, without variables and headers, which may be secrets. */
export function targetWords(direct: DirectTarget): readonly string[] {
  if (direct.type === 'url') return ['--url', direct.url]
  if (direct.directory !== undefined) return ['--dir', direct.directory]
  return ['--', direct.command, ...direct.args]
}
