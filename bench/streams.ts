/**
 * `npm run bench:streams`: what a session with an open stream takes while nothing happens, and how long one update is on
 * its way to all of them, beside the least that Node can do.
 */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { parseArgs } from 'node:util'
import type { JsonObject } from '../server-core/protocol/json.ts'
import { ADD, INITIALIZE, legacyHeaders, messageOf, post } from './calls.ts'
import { exchange, open, openHttpLoad } from './http-load.ts'
import { buildBench } from './build-bench.ts'
import { median } from './median.ts'
import { Target, type Program } from './target.ts'

const COUNTER = 'bench://counter'
const UPDATED = 'notifications/resources/updated'
const UPDATES = 12
const WARM_UP_MS = 1_000

const PROGRAMS: readonly { readonly name: string; readonly program: Program }[] = [
  { name: 'bare', program: { target: 'bare-streams' } },
  { name: 'ours, tap in memory', program: { built: ['--transport', 'http', '--tap', 'memory'] } },
  { name: 'ours, tap off', program: { built: ['--transport', 'http', '--tap', 'off'] } },
]

/** One client: its session, subscribed to the counter, and its stream. */
class Listener {
  readonly stream: Socket
  #tail = ''
  #heard: (() => void) | undefined

  private constructor(stream: Socket) {
    this.stream = stream
    stream.on('data', (chunk: Buffer) => {
      const text = this.#tail + chunk.toString('latin1')
      this.#tail = text.includes(UPDATED) ? '' : text.slice(-UPDATED.length)
      if (text.includes(UPDATED)) this.#heard?.()
    })
  }

  /** Opens a session by way of a connection that others use too. */
  static async open(port: number, control: Socket): Promise<{ listener: Listener; session: string }> {
    const { head } = await exchange(control, post(INITIALIZE, {}))
    const session = /mcp-session-id: (\S+)/i.exec(head)?.[1] ?? 'none'
    await tell(control, session, { method: 'notifications/initialized' })
    await tell(control, session, { id: 1, method: 'resources/subscribe', params: { uri: COUNTER } })
    const stream = await open(port)
    const listener = new Listener(stream)
    const opened = once(stream, 'data')
    const headers = Object.entries({ Accept: 'text/event-stream', ...legacyHeaders(session) })
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    stream.write(`GET /mcp HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`)
    await opened
    return { listener, session }
  }

  updated(): Promise<void> {
    return new Promise((resolve) => {
      this.#heard = resolve
    })
  }
}

async function tell(control: Socket, session: string, message: JsonObject): Promise<void> {
  await exchange(control, post(JSON.stringify({ jsonrpc: '2.0', ...message }), legacyHeaders(session)))
}

const NOTHING: Figures = { residentKiB: Number.NaN, heapKiB: Number.NaN, updateMs: Number.NaN }
type Figures = { readonly residentKiB: number; readonly heapKiB: number; readonly updateMs: number }

async function measure(program: Program, clients: number): Promise<Figures> {
  const target = await Target.start(program)
  try {
    const { port } = target
    const load = await openHttpLoad(port, 'legacy', ADD, 8)
    await load(WARM_UP_MS)
    const before = await target.memory()
    const control = await open(port)
    const listeners: Listener[] = []
    let last = ''
    while (listeners.length < clients) {
      const { listener, session } = await Listener.open(port, control)
      listeners.push(listener)
      last = session
    }
    const after = await target.memory()
    const updates: number[] = []
    const touch = post(
      messageOf('legacy', 2, { method: 'tools/call', params: { name: 'touch' } }),
      legacyHeaders(last),
    )
    for (let round = 0; round < UPDATES; round += 1) {
      const heard = Promise.all(listeners.map((listener) => listener.updated()))
      const began = performance.now()
      await exchange(control, touch)
      await heard
      updates.push(performance.now() - began)
    }
    for (const { stream } of listeners) stream.destroy()
    return {
      residentKiB: (after.resident - before.resident) / 1024 / clients,
      heapKiB: (after.heap - before.heap) / 1024 / clients,
      updateMs: median(updates),
    }
  } finally {
    await target.stop()
  }
}

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '3' } },
})
const clients = Number(values.clients)
await buildBench()
const rounds: Figures[][] = []
for (let round = 0; round < Number(values.rounds); round += 1) {
  const figures: Figures[] = []
  for (const { program } of PROGRAMS) figures.push(await measure(program, clients))
  rounds.push(figures)
}
process.stdout.write(`${clients} sessions with an open stream, ${values.rounds} rounds; medians\n`)
for (const [index, { name }] of PROGRAMS.entries()) {
  const of = (value: (own: Figures, bare: Figures) => number) =>
    median(rounds.map((round) => value(round[index] ?? NOTHING, round[0] ?? NOTHING)))
  const cells = [
    name.padEnd(20),
    `${of(({ residentKiB }) => residentKiB).toFixed(1)} KiB each`.padEnd(16),
    `${of(({ heapKiB }) => heapKiB).toFixed(1)} KiB of it heap`.padEnd(22),
    `an update in ${of(({ updateMs }) => updateMs).toFixed(1)} ms`.padEnd(24),
    `${of((own, bare) => own.updateMs / bare.updateMs).toFixed(2)} × bare`,
  ]
  process.stdout.write(`  ${cells.join(' ')}\n`)
}
