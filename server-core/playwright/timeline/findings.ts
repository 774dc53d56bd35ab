import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { lintMessage } from '../../protocol/lint/lint-message.ts'
import type { Finding, LintOptions } from '../../protocol/lint/report.ts'
import { isRequestId } from '../../protocol/messages.ts'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import type { TimelineFrame } from './frame.ts'
import type { Timeline } from './timeline.ts'

/** A rule of the specification that the server broke, and where. */
export type TimelineFinding = Finding & { readonly frame: TimelineFrame }

const LINTED_TRANSPORTS = { stdio: 'stdio', http: 'http', sse: 'sse', websocket: 'websocket' } as const

/**
 * What the server sent against the specification: messages that break a rule of the revision that was agreed on, and bytes
 * that are not messages.
 */
export function findingsIn(timeline: Timeline): readonly TimelineFinding[] {
  const findings: TimelineFinding[] = []
  const requests = new Map<string, string>()
  for (const frame of timeline.frames) {
    const facts = timeline.facts(frame.connection)
    if (frame.kind === 'invalid' && frame.from === 'server')
      findings.push({
        path: '',
        severity: 'error',
        rule: 'json-text',
        message: 'This is not a message.',
        frame,
      })
    for (const message of frame.messages) {
      const { id, method } = message
      const key = `${frame.connection} ${JSON.stringify(id)}`
      if (frame.from === 'client') {
        if (isRequestId(id) && typeof method === 'string') requests.set(key, method)
        continue
      }
      // What a connection that failed to open says belongs to no revision.
      if (facts === undefined) continue
      const answers = typeof method === 'string' ? undefined : requests.get(key)
      const transport = facts.transport === 'memory' ? undefined : LINTED_TRANSPORTS[facts.transport]
      const options: LintOptions = {
        direction: 'server-to-client',
        revision: answers === 'initialize' ? offered(message, facts.revision) : facts.revision,
        clientCapabilities: facts.capabilities,
        ...(answers !== undefined && { answers }),
        ...(transport !== undefined && { transport }),
        ...extensions(facts.capabilities['extensions']),
      }
      for (const finding of lintMessage(message, options)) findings.push({ ...finding, frame })
    }
  }
  return findings
}

/** The answer to a handshake is of the revision that it names, also where another opening was taken in the end. */
function offered({ result }: JsonObject, agreed: Revision): Revision {
  const named = isJsonObject(result) ? result['protocolVersion'] : undefined
  return SUPPORTED.find((revision) => revision === named) ?? agreed
}

/** Extensions that were declared add methods and kinds of results of their own. */
function extensions(declared: unknown): Pick<LintOptions, 'extensionResultTypes'> {
  return isJsonObject(declared) && Object.keys(declared).length > 0 ? { extensionResultTypes: ['task'] } : {}
}
