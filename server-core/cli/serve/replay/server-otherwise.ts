import { connectTo } from '../../../client/connect-to.ts'
import { productVersion } from '../../../host/version.ts'
import { messageOf } from '../../../protocol/error-message.ts'
import { ErrorCode, ProtocolError } from '../../../protocol/errors.ts'
import type { Otherwise } from '../../../replay/recorded-server.ts'
import { forward } from '../../../sources/proxy/forward.ts'
import { UpstreamConnection } from '../../../sources/proxy/upstream-connection.ts'
import { openServerSession } from '../../connection/server-session.ts'
import type { Target } from '../../connection/target.ts'

const START_MS = 30_000

/** Sends what a recording has no answer for to a server, which is connected with the first of these calls. */
export function serverOtherwise(target: Target, profile: string): Otherwise {
  let opening: Promise<UpstreamConnection> | undefined
  const open = async (): Promise<UpstreamConnection> => {
    const ending = new AbortController()
    const { address, direct, parts } = await openServerSession(
      { target, json: false, timeoutMs: START_MS, profile },
      ending.signal,
    )
    const identity = { name: 'patchbay', title: 'Patchbay', version: productVersion }
    const line = new UpstreamConnection({
      open: ({ declaration, ...rest }) =>
        connectTo(
          address,
          {
            identity: declaration.identity,
            declaration,
            ...rest,
            startTimeoutMs: START_MS,
            ...(direct.protocol !== undefined && { protocol: direct.protocol }),
          },
          parts,
        ),
      declaration: { identity, capabilities: { elicitation: {}, sampling: {} } },
      sessionEnd: () => undefined,
      alias: undefined,
      onListChanged: () => undefined,
      onUpdated: () => undefined,
      // The next call connects again.
      onClosed: () => (opening = undefined),
    })
    await line.open()
    return line
  }
  return {
    answer: async (request, invocation) => {
      opening ??= open()
      let line: UpstreamConnection
      try {
        line = await opening
      } catch (error) {
        opening = undefined
        throw new ProtocolError(
          ErrorCode.internalError,
          `The recording has no answer, and the server of --else cannot be reached: ${messageOf(error)}`,
        )
      }
      const end = line.begin(invocation)
      try {
        return await forward(line, request, invocation)
      } finally {
        end()
      }
    },
    close: async () => {
      const line = await opening?.catch(() => undefined)
      await line?.close()
    },
  }
}
