import { CodedError } from '../protocol/coded-error.ts'

/**
 * A test that cannot run as it is written: an option that does not fit its server, a program that does not start, a
 * question that was not expected.
 */
export class TestSetupError extends CodedError<'option' | 'server' | 'question' | 'protocol'> {
  override readonly name = 'TestSetupError'
}
