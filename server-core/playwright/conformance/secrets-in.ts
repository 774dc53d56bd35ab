import { secretsOf } from '../../profile/secret-fields.ts'
import type { McpOptions } from '../options.ts'
import { authorizationSecrets } from '../recording.ts'

/** Secrets of the options of a test, which no failure may show. */
export function secretsIn({
  server,
  authorization,
}: Pick<McpOptions, 'server' | 'authorization'>): readonly string[] {
  return [...authorizationSecrets(authorization), ...serverSecrets(server)]
}

function serverSecrets(server: McpOptions['server']): readonly string[] {
  const pairs = (given: Readonly<Record<string, string>> = {}) =>
    Object.entries(given).map(([name, value]) => ({ name, value }))
  if (server === undefined) return []
  if ('workspace' in server || 'command' in server) {
    const command = 'command' in server ? server.command : ''
    return secretsOf({ transport: 'stdio', command, args: [], env: pairs(server.env), cwd: '' })
  }
  if ('url' in server)
    return secretsOf({ transport: 'auto', url: server.url, headers: pairs(server.headers) })
  return []
}
