import { CodedError } from '../protocol/coded-error.ts'
import { ErrorCode, ProtocolError } from '../protocol/errors.ts'

export type RuleErrorCode =
  /** The template names something that the question has not. */
  | 'template'
  /** The script was not approved as it is now, cannot be read, failed, or took too long. */
  | 'script'
  /** There is no such model endpoint, it could not be reached, or it answered with an error. */
  | 'model'
  /** The models have used up the tokens that they may. */
  | 'budget'
  /** The question cannot be put to that kind of responder. */
  | 'question'
  /** An internal error. */
  | 'fault'
  /** What came out is not an answer to the question. */
  | 'answer'

/** A rule that could give no answer. `message` is for the user; the server receives `told`, which holds no more. */
export class RuleError extends CodedError<RuleErrorCode> {
  override readonly name = 'RuleError'
  readonly told: string
  /** The HTTP status of a model endpoint, if that was the reason. */
  readonly httpStatus?: number

  constructor(
    code: RuleErrorCode,
    message: string,
    options: ErrorOptions & { readonly told?: string; readonly httpStatus?: number } = {},
  ) {
    super(code, message, options)
    this.told = options.told ?? TOLD[code]
    if (options.httpStatus !== undefined) this.httpStatus = options.httpStatus
  }

  /** The error that the server gets. */
  toProtocolError(): ProtocolError {
    const code = this.code === 'question' ? ErrorCode.invalidParams : ErrorCode.internalError
    return new ProtocolError(code, this.told)
  }
}

/** No words of an endpoint or a script: they may hold what the server must not know. */
const TOLD: Readonly<Record<RuleErrorCode, string>> = {
  template: 'the template that answers this request on the client could not be filled in',
  script: 'the script that answers this request on the client failed',
  model: 'the model that answers this request on the client failed',
  budget: 'the client has used up its token budget for this server',
  fault: 'the client could not answer',
  question: 'the client cannot answer this request as it is',
  answer: 'the rule that answers this request on the client produced an invalid answer',
}
