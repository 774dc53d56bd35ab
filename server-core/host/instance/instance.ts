import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { withFileLock } from '../../workspace/file-lock.ts'
import { systemCode } from '../../workspace/storage-error.ts'
import { HostError } from '../host-error.ts'
import { controlPath } from './control-path.ts'

/** What a running instance says of itself to a second start. */
const runningSchema = z.object({
  mode: z.enum(['desktop', 'browser', 'headless']),
  /** The address of its window, if it is served to a browser. */
  address: z.string().optional(),
  pid: z.number(),
})
export type RunningInstance = z.infer<typeof runningSchema>

export type Instance =
  | { readonly state: 'first'; close(): Promise<void> }
  /** Another one has the profile; it was asked to come forward. */
  | { readonly state: 'second'; readonly running: RunningInstance }

export type InstanceOptions = {
  readonly profile: string
  /** Says what this instance is; waits until that is known. */
  readonly describe: () => Promise<Omit<RunningInstance, 'pid'>>
  /** Another start asked this one to come forward. */
  readonly onActivate: () => Promise<void>
}

const ANSWER_MS = 5_000
const LONGEST_LINE = 16_384

/**
 * Makes sure that a profile has one host. The first start listens on the profile's control socket, which only
 * this user may open; a later one hands over to it and learns where its window is. A socket whose owner was
 * killed is recognised, because nobody answers, and taken over.
 *
 * @throws HostError `NOT_CONNECTED` if the running instance does not answer
 */
export async function claimInstance(options: InstanceOptions): Promise<Instance> {
  const address = await controlPath(options.profile)
  // Two starts at the same moment must not both find a stale socket and take its place.
  return withFileLock(path.join(options.profile, 'instance'), async () => {
    const running = await handOver(address)
    if (running !== undefined) return { state: 'second', running }
    if (process.platform !== 'win32') await rm(address, { force: true })
    const server = createServer((socket) => answer(socket, options))
    await listenPrivately(server, address)
    return {
      state: 'first',
      close: async () => {
        const closed = once(server, 'close')
        server.close()
        await closed
      },
    }
  })
}

/**
 * Asks the instance that has a profile, if there is one, to come forward. Claims nothing.
 *
 * @throws HostError `NOT_CONNECTED` if the running instance does not answer
 */
export async function askRunningInstance(profile: string): Promise<RunningInstance | undefined> {
  return handOver(await controlPath(profile))
}

/** Asks whoever listens to come forward. Undefined: nobody does. */
async function handOver(address: string): Promise<RunningInstance | undefined> {
  const socket = connect(address)
  try {
    await once(socket, 'connect')
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
  try {
    socket.write('{"type":"activate"}\n')
    return runningSchema.parse(JSON.parse(await readLine(socket)))
  } catch (error) {
    const message =
      'Another Patchbay has this profile open and does not answer. End it, or choose another --profile.'
    throw new HostError('NOT_CONNECTED', message, { cause: error })
  } finally {
    socket.destroy()
  }
}

function answer(socket: Socket, options: InstanceOptions): void {
  readLine(socket)
    .then(async (line) => {
      z.object({ type: z.literal('activate') }).parse(JSON.parse(line))
      await options.onActivate()
      const running: RunningInstance = { ...(await options.describe()), pid: process.pid }
      socket.end(`${JSON.stringify(running)}\n`)
    })
    // Whoever sends something else gets no answer.
    .catch(() => socket.destroy())
}

/** The first line that comes, within five seconds. */
async function readLine(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const timer = setTimeout(() => reject(new Error('no answer')), ANSWER_MS)
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (part: string) => {
    text += part
    const end = text.indexOf('\n')
    if (end !== -1) resolve(text.slice(0, end))
    else if (text.length > LONGEST_LINE) reject(new Error('the line is too long'))
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('closed without an answer')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

/** Listens on a socket that is born with mode 0600: between making it and changing its mode nobody gets in. */
async function listenPrivately(server: Server, address: string): Promise<void> {
  const mask = process.umask(0o177)
  try {
    server.listen(address)
  } finally {
    process.umask(mask)
  }
  await once(server, 'listening')
  if (process.platform !== 'win32') await chmod(address, 0o600)
}
