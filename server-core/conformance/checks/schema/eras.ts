import { REVISIONS } from '../../../protocol/revisions.ts'
import { walkWire } from '../../../protocol/wire/walk.ts'
import { passiveCheck } from '../../check.ts'
import type { SeenMessage, Transcript } from '../../passive/transcript.ts'
import { shortJson } from '../../probe/outcome.ts'
import { messageRoot } from './message-root.ts'

/** The requests and notifications of the examined side that other revisions know, and theirs does not. */
export function* strayMethods(transcript: Transcript): Generator<SeenMessage> {
  for (const seen of transcript.examined(
    ({ kind, revision }) => kind !== 'response' && revision < '2026-07-28',
  )) {
    const { method } = seen.message
    if (typeof method !== 'string') continue
    const isKnown = (revision: string) => {
      const row = REVISIONS.find((each) => each.revision === revision)
      return row !== undefined && (method in row.requests || method in row.notifications)
    }
    const isElsewhere = REVISIONS.some(({ revision }) => isKnown(revision))
    // A client may ask which era a server speaks before it opens a session.
    if (isElsewhere && !isKnown(seen.revision) && method !== 'server/discover') yield seen
  }
}

/** Until 2025-03-26 the sentence is a SHOULD. */
export function eraSeverity(revision: string): { readonly severity?: 'warning'; readonly statement: string } {
  return revision <= '2025-03-26'
    ? { severity: 'warning', statement: 'lifecycle.version.respect' }
    : { statement: 'lifecycle.version.respect-must' }
}

export const wrongEraFields = passiveCheck(
  'schema.wrong-era-fields',
  (transcript) => {
    for (const { message, frame, pointer, revision } of strayMethods(transcript)) {
      transcript.fail({
        expected: `a method of ${revision}`,
        actual: shortJson(message['method']),
        member: `${pointer}/method`,
        frame,
        ...eraSeverity(revision),
      })
    }
    for (const { message, frame, pointer, answers, revision } of transcript.examined()) {
      const root = messageRoot(message, answers?.message, revision)
      if (root === undefined) continue
      const ignore = () => undefined
      walkWire(revision, root.definition, root.value, root.path, {
        definition: ignore,
        text: ignore,
        unknown: ignore,
        meta: ignore,
        stray: (name, spans, path) => {
          const isNewer = spans.every(({ since = '' }) => since > revision)
          if (!isNewer || path.at(-1) !== 'type') return
          transcript.fail({
            expected: `a content block of ${revision}`,
            actual: shortJson(name),
            member: `${pointer}/${path.map(String).join('/')}`,
            frame,
            ...eraSeverity(revision),
          })
        },
      })
    }
  },
  { title: 'No method or content block of a newer revision' },
)
