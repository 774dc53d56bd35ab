import { CodedError } from '../protocol/coded-error.ts'

/** A recording of which no test can be made. */
export class RecordedTestError extends CodedError<'empty'> {
  override readonly name = 'RecordedTestError'
}
