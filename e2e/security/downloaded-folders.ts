import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Random } from '../random.ts'
import type { Attack, AttackReport } from './attack.ts'

const CLI = path.resolve(import.meta.dirname, '../../server-core/cli/patchbay.ts')
const ORIGIN = 'https://evil.example'
const TOKEN = 'known-to-the-author'

type Members = { readonly serve?: object; readonly proxy?: object; readonly faults?: object }
type MakeMembers = (random: Random) => Members

/** Members by which the author of a folder could reach what its user serves. Each makes a value of its own. */
const WIDENING: readonly [MakeMembers, ...MakeMembers[]] = [
  () => ({ serve: { http: true } }),
  () => ({ serve: { all: true } }),
  (random) => ({ serve: { [random.pick(['ws', 'sse', 'stdio'])]: true } }),
  (random) => ({ serve: { port: 20_000 + random.below(40_000) } }),
  (random) => ({ serve: { host: random.pick(['0.0.0.0', '::', '127.0.0.2']), token: TOKEN } }),
  () => ({ serve: { token: TOKEN } }),
  () => ({ serve: { allowOrigin: [ORIGIN], allowHost: ['evil.example'] } }),
  (random) => ({ serve: { record: random.pick(['notes.jsonl', './a.ndjson']) } }),
  () => ({ serve: { authorization: { resource: 'http://127.0.0.1/mcp', authorizationServers: [] } } }),
  () => ({ faults: { rules: [{ id: 'x', kind: 'drop' }] } }),
  () => ({ proxy: { servers: { a: { server: 'b', rename: { c: 'd' } } }, pageItems: 1 } }),
]

const RESTRICTING: readonly [MakeMembers, ...MakeMembers[]] = [
  (random) => ({ serve: { [random.pick(['stdio', 'http', 'sse', 'ws', 'all'])]: false } }),
  () => ({ serve: { revision: '2025-11-25' } }),
  (random) => ({ serve: { logLevel: random.pick(['debug', 'error']) } }),
]

/** Starts `serve` and `proxy` in folders whose `patchbay.json` somebody else wrote. No such file may widen anything. */
export const downloadedFolders: Attack = {
  name: 'downloaded-folders',
  rounds: { smoke: 6, full: 400 },
  run: async (random, rounds): Promise<AttackReport> => {
    const findings: string[] = []
    const base = await mkdtemp(path.join(tmpdir(), 'patchbay-downloaded-'))
    try {
      for (let round = 0; round < rounds; round += 1) {
        const found = await attack(random, path.join(base, String(round)))
        findings.push(...found.map((finding) => `round ${round}: ${finding}`))
      }
    } finally {
      await rm(base, { recursive: true, force: true })
    }
    return { what: `${rounds} starts in folders with a patchbay.json of somebody else`, findings }
  },
}

async function attack(random: Random, base: string): Promise<string[]> {
  const folder = path.join(base, 'project')
  await mkdir(folder, { recursive: true })
  const chosen = Array.from({ length: 1 + random.below(3) }, () =>
    random.probability(0.7) ? random.pick(WIDENING)(random) : random.pick(RESTRICTING)(random),
  )
  const serve = Object.fromEntries(chosen.flatMap((members) => Object.entries(members.serve ?? {})))
  const document = JSON.stringify(Object.fromEntries([...chosen.flatMap(Object.entries), ['serve', serve]]))
  await writeFile(path.join(folder, 'patchbay.json'), document)
  const flags = random.pick<string[]>([['--stdio'], ['--http'], []])
  const words = random.probability(0.5)
    ? ['serve', ...flags]
    : ['proxy', ...flags, '--', process.execPath, CLI, 'serve', '--stdio']
  const { urls, statuses, unanswered } = await start(words, folder, path.join(base, 'data'))
  const files = (await readdir(folder)).filter((name) => name !== 'patchbay.json')
  const isAsked = flags.includes('--http')
  return [
    ...(isAsked || urls.length === 0 ? [] : [`it listens at ${urls.join(' ')}, though nobody asked for it`]),
    ...urls.filter((url) => new URL(url).hostname !== '127.0.0.1').map((url) => `it listens at ${url}`),
    ...statuses.filter((status) => status !== 403).map((status) => `a foreign page got ${status}`),
    ...files.map((name) => `it wrote ${name}`),
    ...(unanswered ? ['it neither served what the flags say nor named a member'] : []),
  ].map((finding) => `${words.slice(0, 2).join(' ')} with ${document}: ${finding}`)
}

type Started = {
  readonly urls: readonly string[]
  /** What requests of a foreign page were answered with. */
  readonly statuses: readonly number[]
  readonly unanswered: boolean
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'user', version: '1' } },
}

/** Starts the command line in a folder and lets it go on until it listens, answers over stdio, or ends. */
async function start(words: readonly string[], cwd: string, data: string): Promise<Started> {
  const child = spawn(process.execPath, [CLI, ...words], {
    cwd,
    env: { ...process.env, XDG_DATA_HOME: data, HOME: data, PATCHBAY_INTROSPECTION_SECRET: 'of-the-user' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close')
  // It may have ended before it reads.
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
  let stderr = ''
  const serves = new Promise<'serves'>((resolve) => {
    child.stdout.once('data', () => {
      resolve('serves')
    })
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes.toString()
      if (/listens at \S+\n/.test(stderr)) resolve('serves')
    })
  })
  const outcome = await Promise.race([serves, exited])
  const urls = Array.from(stderr.matchAll(/listens at (\S+)\n/g), ([, url = '']) => url)
  const statuses = await Promise.all(urls.map((url) => foreignStatus(url)))
  child.kill('SIGTERM')
  await exited
  const refused = /patchbay\.json sets .* is not trusted|nothing is left to serve/.test(stderr)
  return { urls, statuses, unanswered: outcome !== 'serves' && !refused }
}

/** Calls as a web page of somebody else would, after its name was made to lead here. */
async function foreignStatus(url: string): Promise<number> {
  const { hostname, port, pathname } = new URL(url)
  const call = request({
    host: hostname,
    port,
    path: pathname,
    method: 'POST',
    headers: {
      host: 'evil.example',
      origin: ORIGIN,
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  })
  call.end('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  await text(response)
  return response.statusCode ?? 0
}
