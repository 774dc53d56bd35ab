import { fstatSync } from 'node:fs'
import { once } from 'node:events'
import { productVersion } from '../host/version.ts'
import { createNotesRegistry, NOTES_INSTRUCTIONS } from '../notes/notes-registry.ts'
import { createServer, type McpServer } from '../server/server.ts'
import type { Command } from './command.ts'
import { ExitCode, UsageError } from './exit-code.ts'
import { tell } from './output.ts'

type ServeCommand = Extract<Command, { type: 'serve' }>

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** `patchbay serve`: the notes server until its client leaves (stdio) or it is told to end (HTTP). */
export async function serve(command: ServeCommand, signal: AbortSignal): Promise<ExitCode> {
  const transport = command.transport ?? (isPiped() ? 'stdio' : 'http')
  // What has to be refused is refused before anything runs.
  const token = transport === 'http' ? requiredToken(command.host) : undefined
  const server = createServer({
    registry: createNotesRegistry(),
    info: { name: 'notes', title: 'Patchbay notes', version: productVersion },
    instructions: NOTES_INSTRUCTIONS,
  })
  try {
    if (transport === 'stdio') await serveStdio(server, signal)
    else await serveHttp(server, command, token, signal)
  } finally {
    await server.close()
  }
  return ExitCode.ok
}

async function serveStdio(server: McpServer, signal: AbortSignal): Promise<void> {
  const { claimStandardOutput, stdioServerLink } = await import('../transports/stdio-server.ts')
  const link = stdioServerLink({ input: process.stdin, output: claimStandardOutput() })
  const attachment = server.attach(link)
  await Promise.race([attachment.closed, ended(signal)])
  await attachment.close()
}

async function serveHttp(
  server: McpServer,
  { host, port }: ServeCommand,
  token: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { startHttpListener } = await import('../transports/http-listener.ts')
  const listener = await startHttpListener({
    server,
    host,
    port,
    ...(token !== undefined && { token: () => token }),
  })
  tell(`The notes server listens at ${listener.url}`)
  await ended(signal)
  await listener.close()
}

/** Beyond this machine nobody gets in without a token. */
function requiredToken(host: string): string | undefined {
  const token = process.env['PATCHBAY_TOKEN'] ?? ''
  if (token !== '') return token
  if (LOOPBACK.has(host)) return undefined
  throw new UsageError(
    `--host ${host} can be reached from other machines, so it needs a token: set PATCHBAY_TOKEN, and clients send it as "Authorization: Bearer …"`,
  )
}

/** Whether somebody writes to our standard input: a pipe or a socket. A terminal or nothing at all is neither. */
function isPiped(): boolean {
  try {
    const stdin = fstatSync(0)
    return stdin.isFIFO() || stdin.isSocket()
  } catch {
    // It was closed before we started.
    return false
  }
}

async function ended(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
