import type { TrafficLog } from '../../capture/traffic-log.ts'
import { clientFile, type Surroundings } from '../../install/client-file.ts'
import { CLIENTS } from '../../install/clients.ts'
import { InstallError } from '../../install/install-error.ts'
import type { Launcher } from '../../install/our-entry.ts'
import type { Tap } from '../../ports/tap.ts'
import { defaultProfile, type ProfileFiles } from '../../profile/profile-files.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { StorageError } from '../../workspace/storage-error.ts'
import {
  fromChannel,
  type ChannelHeld,
  type ChannelSwapped,
  type SwapAsked,
} from '../../tap/control/control-messages.ts'
import { ControlServer, type ConnectedTap, type TapEvent } from '../../tap/control/control-server.ts'
import { findTap } from '../../tap/control/find-tap.ts'
import { tapRulesSchema, type TapRules } from '../../tap/rules/rule-schema.ts'
import { parseRules } from '../../tap/rules/rules-file.ts'
import type { OpenRequests } from '../../tap/swap/server-swap.ts'
import { TapError } from '../../tap/tap-error.ts'
import { changesText, unwrapEntry, wrapEntry, wrapStates } from '../../tap/wrap/wrap-entry.ts'
import { WrapStore } from '../../tap/wrap/wrap-store.ts'
import type { OnSetAside } from '../../workspace/document-file.ts'
import type { ClientEntries, HeldTapMessage, TapsState, TapState } from '../contract/taps.ts'
import { HostError } from '../host-error.ts'
import { CommandLineError, splitCommandLine } from '../paste/split-command-line.ts'
import { TapRulesStore } from './tap-rules-store.ts'

/** Taps that have ended and are still listed. */
const MOST_ENDED = 20

export type TapsServiceOptions = {
  readonly files: ProfileFiles
  readonly traffic: TrafficLog
  readonly launcher: Launcher
  readonly surroundings: Surroundings
  readonly onSetAside: OnSetAside
  readonly changed: () => void
}

type Listed = {
  readonly id: string
  readonly connected: ConnectedTap
  readonly tap: Tap
  isRunning: boolean
  held: readonly ChannelHeld[]
  rules: TapRules
  hits: Readonly<Record<string, number>>
  missed: number
  /** What the last swap put there. */
  server?: ChannelSwapped
  swaps: number
}

/** The taps of other clients that run on this profile, and their entries in the files of those clients. */
export class TapsService {
  readonly #options: TapsServiceOptions
  readonly #wraps: WrapStore
  readonly #rules: TapRulesStore
  readonly #taps = new Map<string, Listed>()
  #control: ControlServer | undefined
  #count = 0

  constructor(options: TapsServiceOptions) {
    this.#options = options
    const { files, onSetAside } = options
    this.#wraps = new WrapStore(files.taps, onSetAside)
    this.#rules = new TapRulesStore(files.tapRules, onSetAside)
  }

  /** Listens for taps. Rejects with the system's error. */
  async start(): Promise<void> {
    await this.#rules.load()
    this.#control = await ControlServer.start(this.#options.files.folder, {
      opened: (tap) => this.#opened(tap),
      event: (tap, event) => this.#event(tap, event),
      closed: (tap) => this.#closed(tap),
      asked: async (wanted, swap) => {
        const running = [...this.#taps.values()].filter(({ isRunning }) => isRunning)
        const connected = findTap(
          running.map((each) => each.connected),
          wanted,
        )
        const listed = this.#listed(connected)
        if (listed === undefined) throw new TapError('no-tap', 'The tap has ended.')
        return this.#swap(listed, swap)
      },
    })
  }

  async close(): Promise<void> {
    await this.#control?.close()
  }

  state(): TapsState {
    return { taps: Array.from(this.#taps.values(), stateOf) }
  }

  /** @throws HostError for an unknown tap, or rules that cannot be used */
  async saveRules(id: string, rules: TapRules): Promise<TapsState> {
    const listed = this.#running(id)
    try {
      parseRules(rules, 'The rules')
    } catch (error) {
      throw new HostError('INVALID_PARAMS', messageOf(error), { cause: error })
    }
    await this.#rules.save(keyOf(listed), rules)
    listed.rules = rules
    listed.hits = {}
    listed.connected.send({ type: 'rules', rules })
    this.#options.changed()
    return this.state()
  }

  /** @throws HostError if the tap or the message is no longer there */
  settle(
    id: string,
    message: number,
    outcome: 'forward' | 'drop' | 'answer',
    text: string | undefined,
  ): void {
    const { connected, held } = this.#running(id)
    if (!held.some((each) => each.id === message))
      throw new HostError(
        'NOT_FOUND',
        'The message is no longer held: it went on by itself, or somebody decided.',
      )
    const bytes = text === undefined ? undefined : Buffer.from(oneLine(text)).toString('base64')
    if (outcome === 'answer' && bytes === undefined)
      throw new HostError('INVALID_PARAMS', 'An answer needs a text.')
    if (outcome === 'answer')
      connected.send({ type: 'settle', id: message, outcome: { type: outcome, bytes: bytes ?? '' } })
    else if (outcome === 'drop') connected.send({ type: 'settle', id: message, outcome: { type: outcome } })
    else
      connected.send({
        type: 'settle',
        id: message,
        outcome: { type: outcome, ...(bytes !== undefined && { bytes }) },
      })
  }

  /** @throws HostError */
  release(id: string): void {
    this.#running(id).connected.send({ type: 'release' })
  }

  /**
   * Replaces the server of a tap. Without a command line, the same command starts again.
   *
   * @throws HostError with the reason; the present server goes on then
   */
  async swap(
    id: string,
    commandLine: string | undefined,
    openRequests: OpenRequests,
  ): Promise<ChannelSwapped> {
    const listed = this.#running(id)
    try {
      const command = commandLine === undefined ? {} : { command: commandOf(commandLine) }
      return await this.#swap(listed, { ...command, openRequests })
    } catch (error) {
      if (error instanceof CommandLineError)
        throw new HostError('INVALID_PARAMS', error.message, { cause: error })
      if (error instanceof TapError)
        throw new HostError('REFUSED', `The server goes on: ${error.message}.`, { cause: error })
      throw error
    }
  }

  /** The servers of every client on this machine. */
  async entries(): Promise<ClientEntries[]> {
    const found: ClientEntries[] = []
    for (const client of CLIENTS) {
      const where = await clientFile(client, this.#options.surroundings)
      const shown = { client: client.id, title: client.title, file: where.file }
      try {
        const states = await wrapStates(where, this.#wraps)
        if (states.length === 0) continue
        const entries = states.map(({ changes = [], ...state }) => ({
          ...state,
          changes: changes.length === 0 ? [] : changesText(changes).split('\n'),
        }))
        found.push({ ...shown, entries })
      } catch (error) {
        if (!(error instanceof InstallError)) throw error
        found.push({ ...shown, problem: error.message, entries: [] })
      }
    }
    return found
  }

  /** @throws HostError */
  async wrap(client: string, name: string): Promise<ClientEntries[]> {
    const { launcher, files } = this.#options
    const profile = files.folder === defaultProfile() ? {} : { profile: files.folder }
    await refusing(async () =>
      wrapEntry(await this.#file(client), this.#wraps, { name, launcher, ...profile }),
    )
    return this.entries()
  }

  /** @throws HostError, with the difference if somebody changed the entry */
  async unwrap(client: string, name: string): Promise<ClientEntries[]> {
    await refusing(async () => unwrapEntry(await this.#file(client), this.#wraps, name))
    return this.entries()
  }

  #file(id: string) {
    const client = CLIENTS.find((each) => each.id === id)
    if (client === undefined) throw new HostError('NOT_FOUND', `There is no client ${id}.`)
    return clientFile(client, this.#options.surroundings)
  }

  #running(id: string): Listed {
    const listed = this.#taps.get(id)
    if (listed?.isRunning === true) return listed
    throw new HostError('NOT_FOUND', 'The tap has ended.')
  }

  #opened(connected: ConnectedTap): void {
    this.#count += 1
    const { hello } = connected
    const id = `tap:${hello.pid}-${this.#count}`
    const title = hello.client === undefined ? hello.name : `${hello.client} to ${hello.name}`
    const tap = this.#options.traffic.tap({ serverId: id, serverName: title, side: 'client' })
    const listed: Listed = {
      id,
      connected,
      tap,
      isRunning: true,
      held: [],
      rules: tapRulesSchema.parse({}),
      hits: {},
      missed: 0,
      swaps: 0,
    }
    const stored = this.#rules.find(keyOf(listed))
    if (stored !== undefined) {
      listed.rules = stored
      connected.send({ type: 'rules', rules: stored })
    }
    this.#taps.set(id, listed)
    this.#forgetOldest()
    this.#options.changed()
  }

  async #swap(listed: Listed, swap: SwapAsked): Promise<ChannelSwapped> {
    if (!listed.connected.hello.swaps)
      throw new TapError('swap', 'only the server of a tap over stdio can be replaced')
    listed.server = await listed.connected.swap(swap)
    listed.swaps += 1
    this.#options.changed()
    return listed.server
  }

  #event(connected: ConnectedTap, event: TapEvent): void {
    const listed = this.#listed(connected)
    if (listed === undefined) return
    switch (event.type) {
      case 'frames':
        for (const frame of event.frames) listed.tap.record(fromChannel(frame))
        return
      case 'missed':
        listed.missed += event.frames
        break
      case 'held':
        listed.held = event.held
        break
      case 'hits':
        if (JSON.stringify(event.hits) === JSON.stringify(listed.hits)) return
        listed.hits = event.hits
        break
    }
    this.#options.changed()
  }

  #closed(connected: ConnectedTap): void {
    const listed = this.#listed(connected)
    if (listed === undefined) return
    listed.isRunning = false
    listed.held = []
    this.#options.changed()
  }

  #listed(connected: ConnectedTap): Listed | undefined {
    return this.#taps.values().find((each) => each.connected === connected)
  }

  #forgetOldest(): void {
    const ended = Array.from(this.#taps.values()).filter(({ isRunning }) => !isRunning)
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#taps.delete(id)
  }
}

function keyOf({ connected: { hello } }: Listed): string {
  return JSON.stringify([hello.client ?? '', hello.name])
}

function stateOf({ id, connected, isRunning, held, rules, hits, missed, server, swaps }: Listed): TapState {
  const { name, client, command, pid, startedAt, swaps: isSwappable } = connected.hello
  return {
    id,
    name,
    ...(client !== undefined && { client }),
    command: server?.command ?? command,
    pid,
    startedAt,
    isSwappable,
    swaps,
    ...(server !== undefined && { server }),
    isRunning,
    held: held.map(heldOf),
    rules,
    hits: { ...hits },
    missed,
  }
}

function heldOf({ bytes, ...message }: ChannelHeld): HeldTapMessage {
  return { ...message, text: Buffer.from(bytes, 'base64').toString() }
}

function commandOf(commandLine: string): { command: string; args: string[] } {
  const [command, ...args] = splitCommandLine(commandLine)
  if (command === undefined) throw new CommandLineError('Enter a command, such as node server.js.')
  return { command, args }
}

/** A message over stdio is one line; line breaks between members mean nothing. */
function oneLine(text: string): string {
  return text.replaceAll(/\r?\n/g, ' ').trim()
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TapError || error instanceof InstallError || error instanceof StorageError)
      throw new HostError('REFUSED', error.message, { cause: error })
    throw error
  }
}
