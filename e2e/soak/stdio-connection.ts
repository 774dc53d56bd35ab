import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { readMessage, shakeHands, type RawConnection, type Message } from './raw-connection.ts'
import type { Random } from '../random.ts'

const SERVER = path.join(import.meta.dirname, 'server.ts')
const CARRIAGE_RETURN = Buffer.from('\r')

/** A server process of its own over stdio. Its input comes in pieces that know nothing of lines. */
export async function openStdioConnection(random: Random): Promise<RawConnection> {
  const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'exit').then(
    ([code, signal]) => `the server process ended (${String(signal ?? code)})`,
  )
  let listener: (message: Message) => void = () => undefined
  let rest = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) listener(readMessage(line))
  })
  // What happened to the process is said by `closed`.
  child.stdin.on('error', () => undefined)
  let waiting: Buffer[] = []
  const write = () => {
    let bytes = Buffer.concat(waiting)
    waiting = []
    while (bytes.length > 0) {
      const length = random.probability(0.2) ? 1 : 1 + random.below(5_000)
      child.stdin.write(bytes.subarray(0, length))
      bytes = bytes.subarray(length)
    }
  }
  return shakeHands({
    closed,
    keepsOrder: true,
    send: (bytes) => {
      if (waiting.push(bytes, Buffer.from(random.probability(0.3) ? '\r\n' : '\n')) === 2) setImmediate(write)
    },
    flushed: async () => {
      await new Promise(setImmediate)
      if (child.stdin.writableNeedDrain) await Promise.race([once(child.stdin, 'drain'), closed])
    },
    onMessage: (next) => {
      listener = next
    },
    // An empty line is not a message.
    carries: (bytes) => bytes.length > 0 && !bytes.equals(CARRIAGE_RETURN),
    close: async () => {
      child.stdin.end()
      await closed
    },
  })
}
