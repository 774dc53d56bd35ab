import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { connect, type Connection } from '../../server-core/client/connect.ts'
import { RequestFailedError } from '../../server-core/client/errors.ts'
import type { Revision } from '../../server-core/protocol/revisions.ts'
import type { ClientReceiver, ClientTransport } from '../../server-core/ports/contract.ts'
import { httpTransport } from '../../server-core/transports/http/http-client.ts'
import { stdioTransport } from '../../server-core/transports/stdio/stdio-client.ts'
import type { Random } from '../random.ts'
import { scrambledServer } from './scrambled-server.ts'

/** Calls that each connection has under way at once. */
const AT_ONCE = 200
const FINDINGS = 20

/** A way to a server that scrambles its answers. */
export type ScrambledWay = {
  readonly revision: Revision
  readonly open: () => ClientTransport
  readonly close: () => Promise<void>
}

/**
 * Makes so many calls, each with a nonce of its own, some with progress, some cancelled on the way. A call that gets
 * another's nonce, none, or an error that is not its own cancellation is a finding; so is progress of another.
 */
export async function soakReplies(way: ScrambledWay, random: Random, calls: number): Promise<string[]> {
  const { revision, open } = way
  const identity = { name: 'soak', version: '1' }
  const connection = await connect({ open, identity, protocol: revision })
  const findings: string[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < calls && findings.length < FINDINGS) {
      const nonce = (next += 1)
      const finding = await call(connection, random, nonce)
      if (finding !== undefined) findings.push(finding)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return findings
  } finally {
    await connection.close()
    await way.close()
  }
}

async function call(connection: Connection, random: Random, nonce: number): Promise<string | undefined> {
  const cancelled = random.probability(0.03) ? new AbortController() : undefined
  let foreign: string | undefined
  const options = {
    timeoutMs: 60_000,
    ...(cancelled && { signal: cancelled.signal }),
    ...(random.probability(0.1) && {
      onProgress: ({ message }: { readonly message?: string }) => {
        if (message !== String(nonce)) foreign = message
      },
    }),
  }
  const answer = connection.request('tools/call', { name: 'x', arguments: { nonce } }, options)
  if (cancelled !== undefined) setTimeout(() => cancelled.abort(), random.below(8))
  try {
    const { result } = await answer
    if (result['nonce'] !== nonce) return `call ${nonce} got the answer of ${String(result['nonce'])}`
  } catch (error) {
    const isOwn = error instanceof RequestFailedError && error.code === 'cancelled'
    if (!isOwn || cancelled === undefined) return `call ${nonce} failed: ${String(error)}`
  }
  return foreign === undefined ? undefined : `call ${nonce} got the progress of ${foreign}`
}

/** In memory: nothing but the pairing of the client itself. */
export function scrambledInMemory(random: Random): ScrambledWay {
  const serve = scrambledServer(random)
  let receiver: ClientReceiver | undefined
  const transport: ClientTransport = {
    kind: 'memory',
    start: (given) => {
      receiver = given
      return Promise.resolve()
    },
    send: (message) => {
      const text = JSON.stringify(message)
      setImmediate(() => {
        serve(JSON.parse(text), (answer) => {
          const bytes = Buffer.from(JSON.stringify(answer))
          receiver?.message({ value: JSON.parse(bytes.toString()), bytes })
        })
      })
      return Promise.resolve()
    },
    sendRaw: () => Promise.resolve({}),
    close: () => Promise.resolve(),
    evidence: () => ({}),
  }
  return { revision: '2025-11-25', open: () => transport, close: () => Promise.resolve() }
}

/** A process of its own, over pipes. */
export function scrambledOverStdio(random: Random): ScrambledWay {
  const script = fileURLToPath(new URL('scrambled-stdio.ts', import.meta.url))
  const seed = String(random.below(1_000_000))
  return {
    revision: '2025-11-25',
    open: () => stdioTransport({ command: process.execPath, args: [script, seed], env: {} }),
    close: () => Promise.resolve(),
  }
}

/** Over Streamable HTTP: every reply an event stream, which may carry what looks like answers to others too. */
export async function scrambledOverHttp(random: Random): Promise<ScrambledWay> {
  const serve = scrambledServer(random)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const send = (message: unknown): void => {
        if (!response.writableEnded) response.write(`data: ${JSON.stringify(message)}\n\n`)
      }
      serve(JSON.parse(Buffer.concat(chunks).toString()), send, () => response.end())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    revision: '2026-07-28',
    open: () => httpTransport({ url: `http://127.0.0.1:${port}/mcp` }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
