/**
 * A test that cannot run as it is written: an option that does not fit its server, a program that does not start, a
 * question that was not expected.
 */
export class TestSetupError extends Error {
  override readonly name = 'TestSetupError'
  readonly code: 'option' | 'server' | 'question' | 'protocol'

  constructor(code: TestSetupError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
