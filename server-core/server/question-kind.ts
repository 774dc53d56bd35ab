import type { JsonObject } from '../protocol/json.ts'
import type { RevisionRow } from '../protocol/revisions.ts'
import type { InputUnavailableError, Question } from '../registry/invocation.ts'
import type { Validators } from './schemas/validators.ts'

/** What the server knows of one method by which handlers ask the client. */
export type QuestionKind = {
  /** The client capability that it needs, and which parts of it. */
  needs(params: JsonObject): readonly [capability: string, parts: JsonObject]
  /**
   * The question as it can be put to a client of a handshake revision with these capabilities. Throws an
   * `InputUnavailableError` that names what the revision cannot ask.
   */
  written(row: RevisionRow, question: Question, clientCapabilities: JsonObject): Question
  /** Rejects with a `ProtocolError` if the parameters cannot be used. */
  check?(params: JsonObject, validators: Validators): Promise<void>
  /** Why a value is not an answer; undefined if it is one. */
  faultOf(params: JsonObject, answer: JsonObject, validators: Validators): Fault | Promise<Fault>
  /** Parameters that are empty are left out of `input_required` (2026-07-28). */
  readonly sparse?: true
  /** For what may change between two questions. */
  readonly changes?: {
    /** The notification by which the client of a session says that it did. */
    readonly notice: string
    /** The error where no client says so. */
    unheard(): InputUnavailableError
  }
}

type Fault = string | undefined
