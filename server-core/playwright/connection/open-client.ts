import { connect } from '../../client/connect.ts'
import { ConnectError } from '../../client/errors.ts'
import { capabilitiesOf } from '../../client/responders.ts'
import { bothTaps } from '../../capture/recording/both-taps.ts'
import type { Recorder } from '../../capture/recording/recorder.ts'
import type { Tap } from '../../ports/tap.ts'
import { NO_TAP } from '../../ports/tap.ts'
import type { Open } from '../../transports/opener.ts'
import type { Answers } from '../answers/answers.ts'
import type { McpOptions } from '../options.ts'
import type { TestedServer } from '../server/tested-server.ts'
import { visibleText } from '../../protocol/visible-text.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { Faults } from './faults.ts'
import { faultyTransport } from './faulty-transport.ts'
import { McpClient, type McpClientOptions } from './mcp-client.ts'
import { keepFrames } from './results.ts'

/** What a client may have of its own. */
export type ConnectOptions = Partial<Pick<McpOptions, 'revision' | 'transport' | 'identity' | 'capabilities'>>

/** What the clients of a test share. */
export type ClientParts = Pick<McpOptions, 'revision' | 'transport' | 'identity' | 'capabilities'> & {
  readonly server: TestedServer
  readonly timeline: Timeline
  readonly answers: Answers
  readonly faults: Faults
  readonly recorder: Recorder | undefined
  readonly step: McpClientOptions['step']
  readonly requestTimeoutMs: number
}

/** Connects a client to the server under test. */
export async function openClient(parts: ClientParts, own: ConnectOptions = {}): Promise<McpClient> {
  const { server, timeline, step } = parts
  const client = await McpClient.connect({ timeline, step, open: () => open({ ...parts, ...own }) })
  server.opened(client)
  return client
}

async function open(parts: ClientParts): ReturnType<McpClientOptions['open']> {
  const { server, timeline, answers, faults, identity, capabilities, revision, transport } = parts
  const opened = timeline.open('client')
  const tap = bothTaps(opened.tap, recorded(parts))
  const ways = await server.reach(transport, tap)
  const faulty =
    (way: Open): Open =>
    async () =>
      faultyTransport(await way(), faults.control, tap)
  const responders = answers.responders()
  const connecting = connect({
    open: faulty(ways.open),
    ...(ways.openOlder !== undefined && { openOlder: faulty(ways.openOlder) }),
    identity,
    responders,
    protocol: revision,
    requestTimeoutMs: parts.requestTimeoutMs,
    ...(capabilities !== undefined && { declaration: { identity, capabilities } }),
  })
  const connection = await connecting.catch((error: unknown) => {
    keepFrames(error, timeline.since(0, opened.number))
    throw explained(error)
  })
  const declared = capabilities ?? capabilitiesOf(responders)
  opened.agreed({ revision: connection.revision, transport: connection.transport, capabilities: declared })
  return { connection, number: opened.number }
}

/** A connection that failed says what was tried, and what the process wrote. */
function explained(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error
  const { steps, evidence } = error
  const tried = steps.map(({ step, outcome }) => `  ${step}: ${outcome}`)
  const stderr =
    evidence.stderr === undefined || evidence.stderr === '' ? [] : ['stderr:', visibleText(evidence.stderr)]
  error.message = [error.message, ...tried, ...stderr].join('\n')
  return error
}

/** A tap of the recording, named by the transport that is wanted; the frames say more. */
function recorded({ recorder, server, transport }: ClientParts): Tap {
  if (recorder === undefined) return NO_TAP
  const name = transport === 'auto' ? guessed(server) : transport
  return recorder.tap({ serverName: String(server), side: 'client', transport: name })
}

function guessed({ option }: TestedServer): 'stdio' | 'http' | 'websocket' | 'memory' {
  if (option === undefined) return 'memory'
  const url = 'url' in option ? option.url : undefined
  if (url !== undefined) return /^wss?:/i.test(url) ? 'websocket' : 'http'
  return 'command' in option || 'workspace' in option ? 'stdio' : 'memory'
}
