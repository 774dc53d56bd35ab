import { attackClients } from '../../server-core/oauth/testing/hostile/hostile-run.test-support.ts'
import { soakHttp } from './bad-http.ts'
import { soakConnection } from './bad-connection.ts'
import { onConnections, openModernCaller, openSessionCaller, soakCalls, type OpenCaller } from './collide.ts'
import type { RawConnection, OpenRawConnection, Target } from './raw-connection.ts'
import type { Random } from '../random.ts'
import type { Attack } from '../security/attack.ts'
import { ATTACKS } from '../security/attacks.ts'
import {
  scrambledInMemory,
  scrambledOverHttp,
  scrambledOverStdio,
  soakReplies,
  type ScrambledWay,
} from './replies.ts'
import { soakKilledHosts } from './killed-hosts.ts'
import { soakKilledWriters } from './killed-writers.ts'
import { soakKills } from './kills.ts'
import { soakLog } from './log-flood.ts'
import { soakRecorder } from './recorder.ts'
import { soakScript } from './scripts.ts'
import { openSseConnection } from './sse-connection.ts'
import { openStdioConnection } from './stdio-connection.ts'
import { startTarget } from './target.ts'
import { MISDEEDS, type Misdeed } from './unruly-scripts.ts'
import { openWebSocketConnection } from './web-socket-connection.ts'

export type Size = {
  /** Which of an attack's two numbers of rounds to run, or another number for all of them. */
  readonly rounds: keyof Attack['rounds'] | number
  /** Bad inputs a transport. */
  readonly inputs: number
  /** Calls of all clients on all network transports. */
  readonly calls: number
  readonly clients: number
  /** Calls of our own client whose answers are scrambled, over all its ways. */
  readonly replies: number
  /** Attempts to get something out of a client that authorizes. */
  readonly attacks: number
  /** Servers with stubborn descendants that are connected to and ended. */
  readonly kills: number
  /** Hosts that are killed while they start and end such servers. */
  readonly hosts: number
  /** Programs that are killed while they save scripts, data and configurations, and record. */
  readonly writers: number
  /** Frames that are recorded to the disk and read again. */
  readonly frames: number
  /** Frames that pass while a window watches the log. */
  readonly watched: number
  /** Rounds of each thing that a script must not do. */
  readonly misdeeds: number
}

export const SIZES: ReadonlyMap<string, Size> = new Map([
  [
    'smoke',
    {
      rounds: 'smoke',
      inputs: 3_000,
      calls: 8_000,
      clients: 50,
      replies: 10_000,
      attacks: 100,
      kills: 12,
      hosts: 2,
      writers: 8,
      frames: 20_000,
      watched: 20_000,
      misdeeds: 2,
    },
  ],
  [
    'full',
    {
      rounds: 'full',
      inputs: 100_000,
      calls: 1_000_000,
      clients: 200,
      replies: 1_000_000,
      attacks: 5_000,
      kills: 1_000,
      hosts: 100,
      writers: 1_000,
      frames: 10_000_000,
      watched: 1_000_000,
      misdeeds: 1_000,
    },
  ],
])

export type Part = {
  readonly name: string
  /** Returns what was done, in words, and what went wrong. */
  readonly run: (
    random: Random,
    size: Size,
  ) => Promise<{ readonly what: string; readonly findings: string[] }>
}

/** The network transports and eras over which clients collide. */
const COLLIDING = 4

export const PARTS: readonly Part[] = [
  {
    name: 'bad-stdio',
    run: async (random, { inputs }) => soakOpened(await openStdioConnection(random), 'stdio', random, inputs),
  },
  {
    name: 'bad-http',
    run: (random, { inputs }) =>
      withTarget(async (target) => ({
        what: `${inputs} bad requests over Streamable HTTP`,
        findings: await soakHttp(target, random, inputs),
      })),
  },
  badInputs('sse', openSseConnection),
  badInputs('websocket', openWebSocketConnection),
  calls('http-modern', () => openModernCaller),
  calls('http-session', () => openSessionCaller),
  calls('sse', (random) => onConnections(openSseConnection, random)),
  calls('websocket', (random) => onConnections(openWebSocketConnection, random)),
  {
    name: 'oauth-hostile',
    run: async (random, size) => {
      const { attacks, connected, findings } = await attackClients(random, size.attacks)
      const what = `${attacks} attacks of servers on clients that hold a token, ${connected} connected all the same`
      return { what, findings: [...findings] }
    },
  },
  {
    name: 'kills',
    run: async (random, { kills }) => {
      const { findings, descendants, slowestMs, medianMs } = await soakKills(random, kills)
      const times = `the slowest in ${slowestMs.toFixed(0)} ms, half within ${medianMs.toFixed(0)} ms`
      return { what: `${kills} servers ended with ${descendants} stubborn descendants, ${times}`, findings }
    },
  },
  {
    name: 'killed-hosts',
    run: async (random, { hosts }) => {
      const { findings, processes, slowestMs } = await soakKilledHosts(random, hosts)
      const what = `${hosts} hosts killed with ${processes} processes below them, gone after ${slowestMs.toFixed(0)} ms at most`
      return { what, findings }
    },
  },
  {
    name: 'killed-writers',
    run: async (random, { writers }) => {
      const { findings, saves, frames, cutOff } = await soakKilledWriters(random, writers)
      const what = `${writers} writers of scripts, patchbay.json and client configurations killed after ${saves} saves, ${cutOff} in the midst of one; ${frames} frames recorded`
      return { what, findings }
    },
  },
  {
    name: 'recorder',
    run: async (random, { frames }) => {
      const { findings, megabytes, perSecond, shed } = await soakRecorder(random, frames)
      const rate = `${perSecond.toFixed(0)} a second, ${megabytes.toFixed(0)} MiB`
      const what = `${frames} frames recorded (${rate}) and read again; ${shed} left out by a slow disk, each told`
      return { what, findings }
    },
  },
  {
    name: 'log',
    run: (_random, { watched }) => soakLog(watched),
  },
  replies('memory', 0.6, scrambledInMemory),
  replies('stdio', 0.3, scrambledOverStdio),
  replies('http', 0.1, scrambledOverHttp),
  ...MISDEEDS.map(misdeeds),
  ...ATTACKS.map(attackPart),
]

function attackPart({ name, rounds, run }: Attack): Part {
  return {
    name,
    run: (random, size) => run(random, typeof size.rounds === 'number' ? size.rounds : rounds[size.rounds]),
  }
}

function misdeeds(misdeed: Misdeed): Part {
  return {
    name: `script-${misdeed.name}`,
    run: async (_random, size) => {
      const { findings, calls, p50Ms, p99Ms, processEnds } = await soakScript(misdeed, size.misdeeds)
      const beside = `${calls} calls of two others at ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(0)} ms`
      const ends = processEnds === 0 ? 'no process ended' : `${processEnds} processes ended`
      return { what: `${size.misdeeds} rounds of a script's ${misdeed.name}, ${beside}, ${ends}`, findings }
    },
  }
}

function replies(
  name: string,
  share: number,
  open: (random: Random) => ScrambledWay | Promise<ScrambledWay>,
): Part {
  return {
    name: `replies-${name}`,
    run: async (random, size) => {
      const count = size.replies * share
      return {
        what: `${count} calls of our client whose answers come shuffled, late and doubled (${name})`,
        findings: await soakReplies(await open(random), random, count),
      }
    },
  }
}

function badInputs(transport: string, open: OpenRawConnection): Part {
  return {
    name: `bad-${transport}`,
    run: (random, { inputs }) =>
      withTarget(async (target) => soakOpened(await open(target, random), transport, random, inputs)),
  }
}

async function soakOpened(
  connection: RawConnection,
  transport: string,
  random: Random,
  inputs: number,
): Promise<Outcome> {
  try {
    return {
      what: `${inputs} bad messages over ${transport}`,
      findings: await soakConnection(connection, random, inputs),
    }
  } finally {
    await connection.close()
  }
}

function calls(transport: string, opener: (random: Random) => OpenCaller): Part {
  return {
    name: `calls-${transport}`,
    run: (random, size) =>
      withTarget(async (target) => {
        const count = size.calls / COLLIDING
        return {
          what: `${count} calls of ${size.clients} clients with the same ids over ${transport}`,
          findings: await soakCalls(target, opener(random), size.clients, count),
        }
      }),
  }
}

type Outcome = Awaited<ReturnType<Part['run']>>

/** Runs against a server of its own. That it ends before its time is a finding. */
async function withTarget(run: (target: Target) => Promise<Outcome>): Promise<Outcome> {
  const target = await startTarget()
  try {
    const crashed = target.ended.then((reason) => ({ what: 'cut short', findings: [reason] }))
    const outcome = await Promise.race([run(target), crashed])
    const megabytes = (target.memory() / 1_048_576).toFixed(0)
    return { ...outcome, what: `${outcome.what} (server at ${megabytes} MiB)` }
  } finally {
    await target.close()
  }
}
