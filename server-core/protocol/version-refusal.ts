import { ErrorCode, ProtocolError } from './errors.ts'
import { ASSUMED, revisionRow, type Revision } from './revisions.ts'

/**
 * The error for a version that is not spoken (Versioning: unsupported versions). It names what is: the revisions whose
 * requests describe themselves, or, where there are none, those that open with a handshake. Its data must say what was
 * requested: a peer that names no version asks for the one that requests without a name are taken for.
 */
export function unsupportedVersion(
  spoken: readonly Revision[],
  requested: string | undefined,
): ProtocolError {
  const modern = spoken.filter((revision) => revisionRow(revision)?.era === 'modern')
  const supported = modern.length > 0 ? modern : spoken
  const how = modern.length > 0 ? 'in _meta of each request' : 'in "initialize"'
  const what =
    requested === undefined
      ? `no version was named, which means ${ASSUMED}`
      : `${requested} is not spoken here`
  return new ProtocolError(
    ErrorCode.unsupportedProtocolVersion,
    `Unsupported protocol version: ${what}; name one of ${supported.join(', ')} ${how}`,
    { supported, requested: requested ?? ASSUMED },
  )
}
