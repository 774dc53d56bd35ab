import { LATEST, revisionRow } from '../../protocol/revisions.ts'
import type { FrameView } from '../../capture/exchange.ts'
import type { TrafficLog } from '../../capture/traffic-log.ts'
import type { LookedAt } from '../contract/composer.ts'

export type RequestedFrame = { readonly seq: number; readonly answers?: string | undefined }

/** Frames of the timeline with the rules that each of them breaks: of its revision, or of the newest if it has none. */
export async function inspectFrames(
  traffic: TrafficLog,
  revision: string,
  asked: readonly RequestedFrame[],
): Promise<{ frames: LookedAt[]; dropped: number }> {
  const { lintText } = await import('../../protocol/lint/lint-text.ts')
  const { RULES } = await import('../../protocol/lint/rules.ts')
  const answers = new Map(asked.map((frame) => [frame.seq, frame.answers]))
  const { frames, dropped } = traffic.frames(asked.map(({ seq }) => seq))
  const rules = revisionRow(revision)?.revision ?? LATEST
  const findingsIn = (frame: FrameView): LookedAt['findings'] => {
    if ((frame.kind !== 'message' && frame.kind !== 'invalid') || frame.truncated) return undefined
    const answered = answers.get(frame.seq)
    const found = lintText(frame.text, {
      direction: frame.direction === 'sent' ? 'client-to-server' : 'server-to-client',
      revision: rules,
      ...(answered !== undefined && { answers: answered }),
    })
    return found.map((finding) => {
      const { sentence, section } = RULES[finding.rule]
      return { ...finding, sentence, section }
    })
  }
  return {
    dropped,
    frames: frames.map((frame) => {
      const findings = findingsIn(frame)
      return { frame, ...(findings !== undefined && { findings }) }
    }),
  }
}
