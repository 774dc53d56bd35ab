import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Reads requests, and answers each by `answer(message)`, the source of a function. */
const answering = (answer: string): string => `
const answer = ${answer}
let rest = ''
process.stdin.on('data', (bytes) => {
  const lines = (rest + bytes).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    let message
    try { message = JSON.parse(line) } catch { continue }
    const reply = message.id === undefined ? undefined : answer(message)
    if (reply !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...reply }) + '\\n')
  }
})
process.stdin.on('end', () => process.exit(0))
`

const INITIALIZE = `message.method === 'initialize'
  ? { result: { protocolVersion: message.params.protocolVersion, capabilities: {}, serverInfo: { name: 'NAME', version: '1' } } }
  : `

/** Servers that misbehave, by how. */
const SERVERS = {
  /** Never answers. */
  hang: answering('() => undefined'),
  /** Ends before it has answered. */
  crash: `process.stderr.write('no configuration\\n'); process.exit(3)`,
  /** Connects, then ends at the first further request. */
  'crash-later': answering(`(message) => ${INITIALIZE.replace('NAME', 'later')} process.exit(4)`),
  /** Writes without an end. */
  flood: `const line = 'x'.repeat(1000) + '\\n'
const write = () => { while (process.stdout.write(line)); process.stdout.once('drain', write) }
write()
process.stdin.resume().on('end', () => process.exit(0))`,
  /** Claims success for everything. */
  lie: answering(`(message) => ${INITIALIZE.replace('NAME', 'liar')} ({ result: { all: 'well' } })`),
  /** Correct where it is asked no more than ping. */
  good: answering(
    `(message) => ${INITIALIZE.replace('NAME', 'good')} message.method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } }`,
  ),
} as const
export type HostileServer = keyof typeof SERVERS

/** A folder with a program for each of these servers. */
export async function writeServers(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-check-'))
  for (const [name, text] of Object.entries(SERVERS)) await writeFile(path.join(folder, `${name}.cjs`), text)
  return folder
}
