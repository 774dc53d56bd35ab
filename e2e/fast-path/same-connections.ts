import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { startHttpListener } from '../../server-core/listener/http-listener.ts'
import type { Random } from '../random.ts'
import type { Attack } from '../security/attack.ts'
import { mutateHead } from './mutate.ts'

/** Cases that run side by side, on two connections each. */
const LANES = 32
const MOST_FINDINGS = 20
/** Milliseconds without a byte after which two connections that agree are taken to be at rest. */
const REST_MS = 25
/** Milliseconds that two connections have to agree. */
const AGREE_MS = 5_000
/** How often a script is played before a difference counts. */
const TIMES = 4
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** What a client writes, piece by piece, and whether it then ends its side. */
type Script = { readonly pieces: readonly Buffer[]; readonly ends: 'open' | 'half' | 'destroy' }

/**
 * Sends the same bytes, cut into the same pieces, to a listener with the fast path and to one without. Status, fields,
 * body and the state of the connection must be the same.
 */
export const sameConnections: Attack = {
  name: 'fast-path-connections',
  rounds: { smoke: 600, full: 200_000 },
  run: async (random, rounds) => {
    const findings: string[] = []
    const [fast, native] = await Promise.all([openListener(true), openListener(false)])
    let left = rounds
    const lane = async () => {
      while (left > 0 && findings.length < MOST_FINDINGS) {
        left -= 1
        const script = makeScript(random)
        const difference = await compareOften(fast.port, native.port, script)
        if (difference !== undefined) findings.push(`${describe(script)}: ${difference}`)
      }
    }
    await Promise.all(Array.from({ length: Math.min(LANES, rounds) }, lane))
    await Promise.all([fast.close(), native.close()])
    return { what: `${rounds} connections compared with those of node:http`, findings }
  },
}

async function openListener(fastPath: boolean) {
  const registry = new Registry()
  registry.addTool({
    name: 'echo',
    input: { type: 'object', properties: { text: { type: 'string' } } },
    run: ({ text }) => String(text),
  })
  registry.addTool({
    name: 'count',
    run: (_arguments, context) => {
      context.progress(1, 2)
      return 'counted'
    },
  })
  const server = createServer({ registry, info: { name: 'fuzzed', version: '1' } })
  const listener = await startHttpListener({ server, port: 0, fastPath })
  return {
    port: listener.port,
    close: async () => {
      await listener.close({ graceMs: 0 })
      await server.close()
    },
  }
}

function makeScript(random: Random): Script {
  const requests = Array.from({ length: 1 + random.below(4) }, () => makeRequest(random))
  const pieces = random.probability(0.3)
    ? cut(random, Buffer.concat(requests))
    : requests.flatMap((each) => (random.probability(0.3) ? cut(random, each) : [each]))
  return { pieces, ends: random.pick(['open', 'open', 'half', 'destroy']) }
}

function makeRequest(random: Random): Buffer {
  const text = random.pick(['', 'short', 'é'.repeat(40), 'x'.repeat(20_000), 'y'.repeat(70_000)])
  const method = random.pick(['tools/call', 'tools/call', 'tools/list', 'server/discover', 'nothing'])
  const name = random.pick(['echo', 'echo', 'count', 'missing'])
  const params = method === 'tools/call' ? { name, arguments: { text }, _meta: META } : { _meta: META }
  const whole = JSON.stringify({ jsonrpc: '2.0', id: 1 + random.below(9), method, params })
  const body = random.probability(0.1) ? whole.slice(0, random.below(whole.length)) : whole
  const lines = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    `Mcp-Method: ${method}`,
    ...(method === 'tools/call' ? [`Mcp-Name: ${name}`] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const head = random.probability(0.25) ? mutateHead(random, lines) : lines.join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)])
}

function cut(random: Random, bytes: Buffer): Buffer[] {
  const places = Array.from({ length: 1 + random.below(3) }, () => random.below(bytes.length + 1))
  const sorted = [0, ...places.toSorted((a, b) => a - b), bytes.length]
  return sorted.slice(1).map((place, index) => bytes.subarray(sorted[index], place))
}

/** What came back on one connection so far. */
type Seen = { readonly text: () => string; readonly closed: () => boolean; readonly destroy: () => void }

/** Which pieces the system joins is chance, and so is what a response meets: a difference is one that stays. */
async function compareOften(fast: number, native: number, script: Script): Promise<string | undefined> {
  let difference: string | undefined
  for (let times = 0; times < TIMES; times += 1) {
    difference = await compare(fast, native, script)
    if (difference === undefined) return undefined
  }
  return difference
}

/** Returns how two connections differ once both are at rest; undefined if they do not. */
async function compare(fastPort: number, nativePort: number, script: Script): Promise<string | undefined> {
  let changedAt = performance.now()
  const touch = () => {
    changedAt = performance.now()
  }
  const seen = await Promise.all([fastPort, nativePort].map((port) => play(port, script, touch)))
  const startedAt = performance.now()
  for (;;) {
    const states = seen.map(stateOf)
    const isSame = states[0] === states[1]
    const now = performance.now()
    if ((isSame && now - changedAt > REST_MS) || now - startedAt > AGREE_MS) {
      for (const each of seen) each.destroy()
      return isSame ? undefined : `with the fast path ${states[0] ?? ''}, without ${states[1] ?? ''}`
    }
    await delay(REST_MS / 4)
  }
}

async function play(port: number, { pieces, ends }: Script, touch: () => void): Promise<Seen> {
  const chunks: Buffer[] = []
  const state = { isClosed: false }
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true })
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    touch()
  })
  const close = () => {
    state.isClosed = true
    touch()
  }
  socket.on('end', close).on('close', close).on('error', close)
  for (const piece of pieces) {
    if (state.isClosed) break
    socket.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (ends === 'half') socket.end()
  if (ends === 'destroy') socket.destroy()
  touch()
  return {
    text: () => (ends === 'open' ? Buffer.concat(chunks).toString('latin1') : ''),
    closed: () => state.isClosed,
    destroy: () => socket.destroy(),
  }
}

/** What must be equal: everything that came but the time, and whether the connection is over. */
function stateOf({ text, closed }: Seen): string {
  const shown = text()
    .replaceAll(/Date: [^\r]*/g, 'Date: …')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
  return JSON.stringify([closed(), shown.length > 4_000 ? `${shown.length} ${shown.slice(0, 2_000)}` : shown])
}

function describe({ pieces, ends }: Script): string {
  return JSON.stringify([ends, ...pieces.map((each) => each.toString('latin1').slice(0, 600))])
}
