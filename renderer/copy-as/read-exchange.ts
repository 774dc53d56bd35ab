import type { Pair, ServerDraft } from '../../server-core/host/contract/servers.ts'
import type { Exchange, FrameView } from '../../server-core/host/contract/traffic.ts'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'
import type { CopiedExchange, CopiedServer } from './copied-exchange.ts'

/**
 * Reads what is copied of an exchange from the host.
 *
 * @param recording the recording that has its frames, if they are not those of the timeline
 * @throws Error if it has no message that is still stored
 */
export async function readExchange(row: Exchange, recording: string | undefined): Promise<CopiedExchange> {
  const [frames, reached, info] = await Promise.all([
    framesOf(row, recording),
    recording === undefined
      ? serverOf(row)
      : ({ server: { type: 'unknown' }, storedName: undefined } as const),
    api.app.info(),
  ])
  const messages = frames.filter(({ kind }) => kind === 'message')
  const request = messages.find(({ direction }) => direction === row.direction)
  if (request === undefined) throw new Error('The exchange has no message, or it is no longer stored.')
  const answer = messages.findLast(({ direction }) => direction !== row.direction)
  return {
    request: request.text,
    answer: answer?.text,
    http: request.http?.status === undefined ? request.http : undefined,
    ...reached,
    serverName: row.serverName,
    at: row.startedAt,
    durationMs: row.endedAt === undefined ? undefined : row.endedAt - row.startedAt,
    commandLine: { command: info.command, profile: info.isUsualProfile ? undefined : info.profile },
  }
}

async function framesOf(row: Exchange, recording: string | undefined): Promise<FrameView[]> {
  const { frames } =
    recording === undefined
      ? await api.traffic.frames({ seqs: row.frames, whole: true })
      : await api.recordings.frames({ id: recording, numbers: row.frames, whole: true })
  return frames
}

type Reached = Pick<CopiedExchange, 'server' | 'storedName'>

async function serverOf({ serverId, side }: Exchange): Promise<Reached> {
  const state = live.parts.servers.get().find(({ id }) => id === serverId)
  const address = live.parts.embedded.get()?.address
  if (side === 'server' || state?.origin === 'embedded')
    return {
      server:
        address === undefined
          ? { type: 'unknown' }
          : { type: 'url', url: address, transport: 'http', secrets: [], headers: {} },
      storedName: undefined,
    }
  if (state === undefined) return { server: { type: 'unknown' }, storedName: undefined }
  const draft = await api.servers.draft({ id: serverId })
  const { transport } = state
  return { server: targetOf(draft, draft.hasBearerToken, transport), storedName: state.name }
}

function targetOf(
  { target }: ServerDraft,
  hasBearerToken: boolean,
  transport: 'stdio' | 'auto' | 'http' | 'sse' | 'websocket',
): CopiedServer {
  if (target.transport === 'stdio') {
    const { known, secrets } = parted(target.env)
    return {
      type: 'command',
      command: target.command,
      args: target.args,
      cwd: target.cwd,
      env: known,
      secrets,
    }
  }
  const { known, secrets } = parted(target.headers)
  return {
    type: 'url',
    url: target.url,
    transport: transport === 'sse' || transport === 'websocket' ? transport : 'http',
    headers: known,
    secrets: hasBearerToken ? [...secrets, 'Authorization'] : secrets,
  }
}

/** Pairs whose values are known here, and the names of the others. */
function parted(pairs: readonly Pair[]): { known: Record<string, string>; secrets: string[] } {
  return {
    known: Object.fromEntries(
      pairs.filter(({ kept }) => kept !== true).map(({ name, value }) => [name, value]),
    ),
    secrets: pairs.filter(({ kept }) => kept === true).map(({ name }) => name),
  }
}
