import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { serverDraftSchema, type ServerDraft } from '../../profile/server-target.ts'
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
  | {
      readonly state: 'first'
      /**
       * Releases the profile after `work`, which ends what this instance runs. A start that comes meanwhile
       * gets no answer and waits.
       */
      close(work?: () => Promise<void>): Promise<void>
    }
  /** Another one has the profile; it was asked to come forward. */
  | { readonly state: 'second'; readonly running: RunningInstance }

/** What a later start asks of the running instance. */
const activationSchema = z.object({
  type: z.literal('activate'),
  /** Absolute path of a workspace to open. */
  workspace: z.string().optional(),
  /** A server that the user typed: it is stored, approved and connected. */
  server: serverDraftSchema.optional(),
})
export type Activation = Omit<z.infer<typeof activationSchema>, 'type'>

export type InstanceOptions = {
  readonly profile: string
  /** Returns what this instance is; waits until that is known. */
  readonly describe: () => Promise<Omit<RunningInstance, 'pid'>>
  /** Absolute path of the workspace that this start was asked to open; a running instance opens it in its place. */
  readonly workspace?: string
  /** A server that the user typed; a running instance opens it in its place. */
  readonly server?: ServerDraft
  /** Another start asked this one to come forward. */
  readonly onActivate: (asked: Activation) => Promise<void>
}

/** The reply to a second start. */
const answerSchema = z.union([runningSchema, z.object({ state: z.literal('ending') })])

/** What a second start finds: an instance, or one that is ending, until `gone` resolves. */
type Found =
  | { readonly state: 'running'; readonly running: RunningInstance }
  | { readonly state: 'ending'; readonly gone: Promise<void> }

/** It went away in this very moment; asked again, nobody is there. */
const JUST_GONE: Found = { state: 'ending', gone: Promise.resolve() }

const ANSWER_MS = 5_000
/** How long an instance may take to end before a start gives up waiting for it. */
const ENDING_MS = 30_000
const LONGEST_LINE = 262_144

/**
 * Makes sure that a profile has one host. The first start listens on the profile's control socket, which only
 * this user may open; a later one hands over to it and learns where its window is. A socket whose owner was
 * killed is recognised, because nobody answers, and taken over; one whose owner is ending is waited for.
 *
 * @throws HostError `NOT_CONNECTED` if the running instance does not answer, or does not come to its end
 */
export async function claimInstance(options: InstanceOptions): Promise<Instance> {
  const address = await controlPath(options.profile)
  for (;;) {
    // Two starts at the same moment must not both find a stale socket and take its place.
    const claimed = await withFileLock(path.join(options.profile, 'instance'), async () => {
      const found = await handOver(address, options)
      if (found !== undefined) return found
      if (process.platform !== 'win32') await rm(address, { force: true })
      return { state: 'first', close: await listenAsFirst(address, options) } as const
    })
    if (claimed.state === 'first') return claimed
    if (claimed.state === 'running') return { state: 'second', running: claimed.running }
    await claimed.gone
  }
}

/** Answers later starts until the function it gives is called and done. */
async function listenAsFirst(
  address: string,
  options: InstanceOptions,
): Promise<(work?: () => Promise<void>) => Promise<void>> {
  let isEnding = false
  const over = Promise.withResolvers<undefined>()
  const server = createServer((socket) => answer(socket, options, () => isEnding, over.promise))
  await listenPrivately(server, address)
  let closing: Promise<void> | undefined
  const close = async (work: () => Promise<void>): Promise<void> => {
    isEnding = true
    try {
      await work()
    } finally {
      const closed = once(server, 'close')
      server.close()
      over.resolve(undefined)
      await closed
    }
  }
  return (work = () => Promise.resolve()) => (closing ??= close(work))
}

/**
 * Asks the instance that has a profile, if there is one, to come forward, and to open a workspace if one is named (an
 * absolute path). Claims nothing. One that is ending is
 * waited for, and then there is none.
 *
 * @throws HostError `NOT_CONNECTED` if the running instance does not answer, or does not come to its end
 */
export async function askRunningInstance(
  profile: string,
  workspace?: string,
): Promise<RunningInstance | undefined> {
  const found = await handOver(await controlPath(profile), { workspace })
  if (found?.state === 'running') return found.running
  await found?.gone
  return undefined
}

/** Asks whoever listens to come forward. Undefined: nobody does. */
async function handOver(address: string, { workspace, server }: Activation): Promise<Found | undefined> {
  const socket = connect(address)
  try {
    await once(socket, 'connect')
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes(systemCode(error) ?? '')) return undefined
    if (isCutOff(error)) return JUST_GONE
    throw error
  }
  try {
    const asked: z.infer<typeof activationSchema> = { type: 'activate', workspace, server }
    socket.write(`${JSON.stringify(asked)}\n`)
    const said = answerSchema.parse(JSON.parse(await readLine(socket)))
    if ('state' in said) return { state: 'ending', gone: closeOf(socket) }
    socket.destroy()
    return { state: 'running', running: said }
  } catch (error) {
    socket.destroy()
    if (isCutOff(error)) return JUST_GONE
    const message =
      'Another Patchbay has this profile open and does not answer. End it, or choose another --profile.'
    throw new HostError('NOT_CONNECTED', message, { cause: error })
  }
}

/** Whether the other end went away before it looked at what it was asked. */
function isCutOff(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(systemCode(error) ?? '')
}

/** Resolves when the instance at the other end has gone, and its socket with it. */
async function closeOf(socket: Socket): Promise<void> {
  const timer = setTimeout(() => {
    const message =
      'Another Patchbay has this profile open, is ending and does not come to its end. End it, or choose another --profile.'
    socket.destroy(new HostError('NOT_CONNECTED', message))
  }, ENDING_MS)
  try {
    if (!socket.destroyed) await once(socket, 'close')
  } finally {
    clearTimeout(timer)
  }
}

function answer(
  socket: Socket,
  options: InstanceOptions,
  isEnding: () => boolean,
  over: Promise<undefined>,
): void {
  readLine(socket)
    .then(async (line) => {
      const asked = activationSchema.parse(JSON.parse(line))
      const running = await describeUnlessEnding(options, asked, isEnding)
      if (running !== undefined) {
        socket.end(`${JSON.stringify(running)}\n`)
        return
      }
      // The second start waits for the socket to close, even if this process is killed before it is done.
      socket.write('{"state":"ending"}\n')
      await over
      socket.destroySoon()
    })
    // Whoever sends something else gets no answer.
    .catch(() => socket.destroy())
}

/** Comes forward and says what this instance is; undefined if it is ending, or its start has failed meanwhile. */
async function describeUnlessEnding(
  { onActivate, describe }: InstanceOptions,
  asked: Activation,
  isEnding: () => boolean,
): Promise<RunningInstance | undefined> {
  if (isEnding()) return undefined
  try {
    await onActivate(asked)
    const described = await describe()
    // What is ending has an address that leads nowhere in a moment.
    return isEnding() ? undefined : { ...described, pid: process.pid }
  } catch (error) {
    if (isEnding()) return undefined
    throw error
  }
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
