import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Recorder } from '../../capture/recording/recorder.ts'
import { recordedCalls, type RecordedCall } from '../../comparison/recorded-calls.ts'
import type { TransportKind } from '../../protocol/transport-kind.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { RecordingView } from '../../recordings/recording-view.ts'
import { recordedResponders, type UnexpectedQuestion } from '../../replay/client-side/recorded-responders.ts'
import type { ReplayPlan } from '../../replay/client-side/replay-plan.ts'
import { ReturnedValues } from '../../replay/client-side/returned-values.ts'
import { sendPlan, type Sent } from '../../replay/client-side/send-plan.ts'
import { useServer } from '../connection/server-session.ts'
import { masking, writeStderr } from '../output/output.ts'
import type { ReplayCommand } from './replay-flags.ts'

/** One replay: what was sent, and all that came. */
export type Replay = Sent & {
  readonly revision: Revision
  readonly transport: TransportKind
  readonly values: ReturnedValues
  readonly unexpected: readonly UnexpectedQuestion[]
  readonly received: readonly RecordedCall[]
}

/**
 * Replays the client's side of a recording over a connection of its own, and reads what was sent and received as a
 * recording. Rejects with the errors of the connection.
 *
 * @param recorded all calls of the recording
 */
export async function replayOnce(
  command: ReplayCommand,
  plan: ReplayPlan,
  recorded: readonly RecordedCall[],
  signal: AbortSignal,
): Promise<Replay> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-replay-'))
  try {
    const recorder = await Recorder.create(path.join(folder, 'replay.ndjson'), {
      redaction: masking,
      onTrouble: writeStderr,
    })
    const values = new ReturnedValues(recorded)
    const unexpected: UnexpectedQuestion[] = []
    const { client } = plan
    let sent
    try {
      sent = await useServer(
        command,
        signal,
        async (connection) => ({
          ...(await sendPlan(connection, plan, values, { ...command, signal })),
          revision: connection.revision,
          transport: connection.transport,
        }),
        {
          recorder,
          ...(client !== undefined && { revision: client.revision }),
          ...(client?.identity !== undefined && {
            declaration: { identity: client.identity, capabilities: client.capabilities },
          }),
          responders: (usual) =>
            recordedResponders(plan.questions, {
              onUnexpected: (question) => void unexpected.push(question),
              // Rules that were typed answer what the recording does not.
              ...(command.responders !== undefined && { others: usual }),
            }),
        },
      )
    } finally {
      await recorder.close()
    }
    const received = await recordedCalls(await RecordingView.open(recorder.path))
    return { ...sent, values, unexpected, received }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
