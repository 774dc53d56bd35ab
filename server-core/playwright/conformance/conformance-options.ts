import type { SuiteName } from '../../conformance/suites/suite.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { ServerOption } from '../options.ts'

/** Checks by id (`tools.call.unknown-tool`), by the beginning of their ids (`tools`), or by a pattern of them. */
export type CheckPattern = string | RegExp

/** What `conformance()` examines, and how. */
export type ConformanceOptions = {
  /** The server; that of the configuration or of `test.use` unless given. */
  readonly server?: ServerOption
  /** Which checks, as with `patchbay check --suite`; `ci` unless given. */
  readonly suite?: SuiteName
  /** Of these checks only those that match. */
  readonly include?: CheckPattern | readonly CheckPattern[]
  /** Without the checks that match. */
  readonly exclude?: CheckPattern | readonly CheckPattern[]
  /** The revisions to examine; that of the project unless given, or else all that the server speaks. */
  readonly revisions?: readonly Revision[]
  /** The transports to examine; that of the project unless given, or else all by which the server is reached. */
  readonly transports?: readonly WireTransport[]
  /** Tools that may be called. None is without permission. */
  readonly call?: readonly string[]
  /** Whether all tools with `readOnlyHint` may be called. */
  readonly callReadOnly?: boolean
  /** What fails a test: `error` a broken MUST, which is the default; `warning` a broken SHOULD too. */
  readonly level?: 'error' | 'warning'
  /**
   * A file with expected failures, relative to the test file; `patchbay check --baseline FILE --update-baseline` writes it.
   * An expected failure that does not occur any more fails its test.
   */
  readonly baseline?: string
  /** Also checks that wait for more than 5 seconds. */
  readonly slow?: boolean
  /** Also checks that end or restart the server. */
  readonly ends?: boolean
  /** Also checks that flood or may crash the server. */
  readonly destructive?: boolean
  /** The same seed makes the same random choices. */
  readonly seed?: number
}
