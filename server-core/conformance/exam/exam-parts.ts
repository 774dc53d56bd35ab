import type { FrameLog } from '../frames/frame-log.ts'
import type { Cell } from '../verdict.ts'
import type { Dialogue } from './dialogue.ts'
import type { ExamConnection } from './exam-connection.ts'

/** What the carriers of one exam share. */
export type ExamParts = {
  readonly dialogue: Dialogue
  readonly log: FrameLog
  readonly cell: Cell
  readonly answerMs: number
  /** Legacy Streamable HTTP: makes the session ids; none are issued where it gives undefined. */
  readonly sessionId: () => string | undefined
  readonly onConnection: (connection: ExamConnection) => void
  /** A handler of the check threw: the harness is at fault. */
  readonly onError: (error: unknown) => void
}
