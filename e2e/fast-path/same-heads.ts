import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readPlainHead } from '../../server-core/listener/fast-path/plain-head.ts'
import type { Random } from '../random.ts'
import type { Attack } from '../security/attack.ts'
import { mutateHead, plainHead } from './mutate.ts'

const BATCH = 200
const MOST_FINDINGS = 20

/** A connection in memory: `node:http` accepts any duplex stream. */
class Memory extends Duplex {
  override _read(): void {
    // Everything is pushed at once.
  }

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done()
  }
}

type Read = { readonly request: IncomingMessage; readonly body: Promise<Buffer> }

/**
 * Reads mutated heads twice: by the fast path and by `node:http`. What the fast path accepts, `node:http` must accept
 * with the same method, target, fields and body; what `node:http` rejects, the fast path must leave to it.
 */
export const sameHeads: Attack = {
  name: 'fast-path-heads',
  rounds: { smoke: 20_000, full: 10_000_000 },
  run: async (random, rounds) => {
    const findings: string[] = []
    let accepted = 0
    const http = createServer({ maxHeaderSize: 16 * 1024 })
    const reads = new Map<Duplex, Read>()
    http.on('request', (request) => {
      reads.set(request.socket, { request, body: bodyOf(request) })
    })
    // What follows the body may be invalid; the sockets are destroyed once everything was compared.
    http.on('clientError', () => undefined)
    for (let done = 0; done < rounds && findings.length < MOST_FINDINGS; done += BATCH) {
      const cases = Array.from({ length: Math.min(BATCH, rounds - done) }, () => makeCase(random))
      const sockets = cases.map(({ text, body }) => {
        const socket = new Memory()
        http.emit('connection', socket)
        socket.push(Buffer.from(`${text}\r\n\r\n${body}`, 'latin1'))
        return socket
      })
      await nextTurn()
      for (const [index, { text, body }] of cases.entries()) {
        const head = readPlainHead(text)
        const facts = head?.match(text)
        if (head === undefined || facts === undefined) continue
        accepted += 1
        const socket = sockets[index]
        const read = socket === undefined ? undefined : reads.get(socket)
        const native = read === undefined ? 'rejected' : described(read.request)
        const fast = JSON.stringify([head.method, head.url, facts.headers, facts.rawHeaders])
        if (native !== fast) findings.push(`${JSON.stringify(text)}: ${native} by node:http, here ${fast}`)
        const bytes = facts.bodyLength <= body.length ? await read?.body : undefined
        if (bytes !== undefined && bytes.toString('latin1') !== body.slice(0, facts.bodyLength)) {
          findings.push(`${JSON.stringify(text)}: the body is ${JSON.stringify(bytes.toString('latin1'))}`)
        }
      }
      for (const each of sockets) each.destroy()
      reads.clear()
    }
    return { what: `${rounds} heads read twice, ${accepted} by the fast path`, findings }
  },
}

function makeCase(random: Random): { readonly text: string; readonly body: string } {
  const body = 'x'.repeat(random.below(20))
  const lines = plainHead(random, body.length)
  return { text: random.probability(0.1) ? lines.join('\r\n') : mutateHead(random, lines), body }
}

function described(request: IncomingMessage): string {
  return JSON.stringify([request.method, request.url, request.headers, request.rawHeaders])
}

function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      resolve(Buffer.concat(chunks))
    })
    request.on('error', () => {
      resolve(Buffer.concat(chunks))
    })
  })
}
