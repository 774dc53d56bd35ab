import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { builtModules } from '../../server-core/scripts/testing/script-workspace.test-support.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Keeps what a Worker is started with where its script finds it. */
const WORKER = `import { workerData } from 'node:worker_threads'
const { port } = workerData
globalThis.hostilePost = port.postMessage.bind(port)
await import('./real-worker.js')
`

/** Passes to Workers the token that every message over the channel of their process carries. */
const PROCESS = `import net from 'node:net'
import { setEnvironmentData } from 'node:worker_threads'
const { emit } = net.Socket.prototype
net.Socket.prototype.emit = function (name, chunk) {
  if (name === 'data') {
    setEnvironmentData('token', chunk.subarray(4, 20))
    net.Socket.prototype.emit = emit
  }
  return Reflect.apply(emit, this, arguments)
}
await import('./real-process.js')
`

/**
 * The tool host as it is built, but that its scripts have what only native code could get: the port of their Worker, and
 * the token of the channel to the host. Returns its folder.
 */
export async function hostileToolHost(): Promise<string> {
  const folder = await builtModules()
  await replace(path.join(folder, 'worker'), 'script-worker.js', 'real-worker.js', WORKER)
  await replace(path.join(folder, 'process'), 'tool-process.js', 'real-process.js', PROCESS)
  return folder
}

async function replace(folder: string, file: string, real: string, text: string): Promise<void> {
  await rename(path.join(folder, file), path.join(folder, real))
  await writeFile(path.join(folder, file), text)
}

const imported = (file: string): string => JSON.stringify(path.join(ROOT, file))

/** A script with a tool that sends hostile messages, many at once, at random moments. */
export const HOSTILE_SCRIPT = `import fs from 'node:fs'
import { getEnvironmentData } from 'node:worker_threads'
import { tool, z } from 'patchbay'
import { frameOf } from ${imported('server-core/processes/message-frame.ts')}
import { FROM_PROCESS, HANDLER_MESSAGES, HOSTILE, NEWS, spoiled } from ${imported('server-core/scripts/channel-messages.test-support.ts')}
import { encodeForPort } from ${imported('server-core/scripts/encode-for-port.ts')}
import { Random } from ${imported('e2e/random.ts')}

const post = (globalThis as any).hostilePost
const token = Buffer.from(getEnvironmentData('token') as Uint8Array)

/** A packed message, or what looks like one. */
const pack = (message: unknown, random: Random) => {
  try { return encodeForPort(message) } catch { return random.probability(0.5) ? 'no JSON' : random.bytes(20) }
}
/** Valid, but about some other call or request. */
const forged = (random: Random) => {
  const message: any = { ...HANDLER_MESSAGES[random.below(HANDLER_MESSAGES.length)] }
  for (const name of ['call', 'id']) if (name in message) message[name] = random.below(5)
  if (message.type === 'done') message.outcome = spoiled(message.outcome, (count) => random.below(count))
  return message
}
const said = (random: Random) => {
  const message = random.probability(0.5)
    ? forged(random)
    : spoiled(HANDLER_MESSAGES[random.below(HANDLER_MESSAGES.length)], (count) => random.below(count))
  return pack(message, random)
}
const fromWorker = (random: Random) => {
  if (random.probability(0.6)) return said(random)
  if (random.probability(0.1)) return HOSTILE[random.below(HOSTILE.length)]!()
  return spoiled(NEWS[random.below(NEWS.length)], (count) => random.below(count))
}
const fromProcess = (random: Random) => {
  const worker = random.below(12)
  if (random.probability(0.3)) return { type: 'said', worker, message: said(random) }
  const message: any = spoiled(FROM_PROCESS[random.below(FROM_PROCESS.length)], (count) => random.below(count))
  return typeof message === 'object' && message !== null && 'worker' in message && random.probability(0.7) ? { ...message, worker } : message
}
const write = (bytes: Uint8Array) => { try { fs.writeSync(3, bytes) } catch {} }
const frame = (message: unknown, carried: Buffer | undefined) => {
  try { return frameOf(message, carried) } catch { return frameOf(null, carried) }
}
const ROUTES: Record<string, { send(random: Random): void; last(): void }> = {
  // What the port accepts is all that can be cloned; the last one is invalid for certain.
  port: {
    send: (random) => { try { post(fromWorker(random)) } catch { post({ type: 'fault' }) } },
    last: () => post({ type: 'output' }),
  },
  channel: {
    send: (random) => write(frame(fromProcess(random), token)),
    last: () => write(frame({ type: 'news', worker: 1, news: { type: 'output' } }, token)),
  },
  bytes: {
    send: (random) => write(random.probability(0.3) ? frame(fromProcess(random), undefined)
      : random.probability(0.5) ? random.bytes(1 + random.below(200))
      : frame(fromProcess(random), token).subarray(0, 1 + random.below(40))),
    last: () => write(frame({ type: 'ready' }, Buffer.alloc(16))),
  },
}
export const attack = tool({
  timeout: 20_000,
  input: z.object({ route: z.string(), seed: z.number(), count: z.number() }),
  async run({ route, seed, count }) {
    const random = new Random(seed)
    const { send, last } = ROUTES[route]!
    for (let sent = 1; sent < count; sent += 1) {
      send(random)
      if (random.probability(0.02)) await new Promise(setImmediate)
    }
    last()
    return new Promise(() => undefined)
  },
})
const cyclic: any = {}
cyclic.self = cyclic
const RESULTS: (() => unknown)[] = [
  ...HOSTILE,
  () => cyclic,
  () => () => 1,
  () => ({ get content() { throw new Error('a getter') } }),
  () => new Proxy({}, { get() { throw new Error('a proxy') } }),
  () => new Proxy([], { get(_, name) { return name === 'length' ? 2 ** 31 : undefined } }),
  () => ({ toJSON() { throw new Error('no JSON') } }),
  () => ({ content: [{ get type() { return 'text' }, text: cyclic }] }),
  () => ({ content: [new Proxy({ type: 'text', text: 'x' }, {})], isError: 'maybe' }),
  () => ({ then(resolve: (value: unknown) => void) { resolve(cyclic) } }),
  () => 'x'.repeat(2 ** 24),
]
export const result = tool({ input: z.object({ n: z.number() }), run: ({ n }) => RESULTS[n % RESULTS.length]!() as never })
`
