import { setTimeout as wait } from 'node:timers/promises'
import { buffer as readAll } from 'node:stream/consumers'
import { Channel } from '../../client/channel.ts'
import { exchangeRaw, type RawExchange, type RawSending } from '../../client/raw.ts'
import { parseExact } from '../../protocol/exact-json.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { limitsOf } from '../../protocol/limits.ts'
import type { Incoming } from '../../ports/contract.ts'
import { transportsFor } from '../../transports/opener.ts'
import type { ClientCommand } from './client-command.ts'
import { ExitCode, UnreachableError } from '../output/exit-code.ts'
import { isForPerson, writeStderr, writeJson, writeText } from '../output/output.ts'
import { openServerSession, recordSession, useServer } from '../connection/server-session.ts'

type RawCommand = Extract<ClientCommand, { type: 'raw' }>

/** Milliseconds that are waited for anything at all, where nothing that was sent has an answer. */
const QUIET_MS = 1_000

/** What came, in its order: JSON text, or invalid bytes and the reason. */
type Came = { readonly text: string; readonly invalid?: string }

/** A way to send, and what comes meanwhile. */
type Line = (data: Uint8Array, sending: RawSending) => Promise<RawExchange>

/** `patchbay raw`: sends bytes as they are and shows everything that comes back. */
export async function raw(command: RawCommand, signal: AbortSignal): Promise<ExitCode> {
  const { data, waitMs, bare = false } = command
  const bytes = data === '-' ? new Uint8Array(await readAll(process.stdin)) : new TextEncoder().encode(data)
  const came: Came[] = []
  const listeners = {
    received: ({ bytes: own }: Incoming): void => void came.push({ text: textOf(own) }),
    invalid: (invalid: { readonly bytes: Uint8Array; readonly reason: string }): void =>
      void came.push({ text: textOf(invalid.bytes), invalid: invalid.reason }),
  }
  const exchange = async (send: Line): Promise<RawExchange> => {
    // The handshake is not part of the answers.
    came.length = 0
    const outcome = await send(bytes, {
      signal,
      lineFeed: bytes.at(-1) !== 0x0a,
      ...(waitMs !== undefined && { waitMs }),
    })
    const isAnswered = outcome.answers.length + outcome.unanswered.length > 0
    // Something without an id has no answer that could be waited for.
    if (!isAnswered) await wait(waitMs ?? QUIET_MS, undefined, { signal }).catch(() => undefined)
    return outcome
  }
  const outcome = bare
    ? await overBareTransport(command, listeners, signal, exchange)
    : await useServer(
        command,
        signal,
        (connection) => exchange((sent, sending) => connection.sendRaw(sent, sending)),
        { listeners },
      )
  await show(command, came, outcome)
  const { answers, unanswered } = outcome
  if (unanswered.length > 0)
    throw new UnreachableError(
      `no answer came to ${unanswered.map((id) => JSON.stringify(id)).join(', ')}; --wait MS waits longer`,
    )
  return answers.some(({ value }) => isJsonObject(value) && 'error' in value)
    ? ExitCode.toolError
    : ExitCode.ok
}

type RawListeners = {
  readonly received: (incoming: Incoming) => void
  readonly invalid: (invalid: { readonly bytes: Uint8Array; readonly reason: string }) => void
}

/** Opens the transport and nothing more. */
async function overBareTransport(
  command: RawCommand,
  { received, invalid }: RawListeners,
  signal: AbortSignal,
  use: (send: Line) => Promise<RawExchange>,
): Promise<RawExchange> {
  const session = await openServerSession(command, signal)
  const { direct, address, parts, close } = session
  const recording = await recordSession(command, session)
  const tapped = recording === undefined ? parts : { ...parts, tap: recording.tap }
  const channel = new Channel(await transportsFor(address, tapped).open(), limitsOf())
  const giveUp = (): void => void channel.transport.close()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await channel.start()
    channel.attach({
      notification: () => undefined,
      request: () => undefined,
      wantsAll: () => true,
      received,
      invalid: (bytes, reason) => invalid({ bytes, reason }),
      closed: () => undefined,
    })
    const revision = direct.protocol === undefined ? {} : { revision: direct.protocol }
    return await use((sent, sending) => exchangeRaw(channel, sent, { ...revision, ...sending }))
  } finally {
    await channel.transport.close()
    await recording?.close()
    await close()
  }
}

async function show(command: RawCommand, came: readonly Came[], outcome: RawExchange): Promise<void> {
  const { httpStatus, httpHeaders, unanswered } = outcome
  if (isForPerson(command.json)) {
    if (httpStatus !== undefined) writeStderr(`HTTP ${httpStatus}`)
    for (const { text, invalid } of came)
      await writeText(invalid === undefined ? text : `${text}\n  (${invalid})`)
    if (came.length === 0) writeStderr('Nothing came back.')
    return
  }
  await writeJson({
    ...(httpStatus !== undefined && { http: { status: httpStatus, headers: httpHeaders ?? {} } }),
    received: came.map(({ text, invalid }) =>
      invalid === undefined ? parseExact(text) : { noise: text, reason: invalid },
    ),
    unanswered,
  })
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
