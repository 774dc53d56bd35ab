import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { isLogLevel, reaches, type LogLevel } from '../../protocol/log-level.ts'
import type { Audience, SessionAudience } from '../audience.ts'
import { encodeNotification } from '../encode.ts'
import type { DeprecatedFeature, EmissionEncoder } from './feature.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Never set by the client of a session, the floor is the server's choice: debug messages are for those who ask. */
const UNASKED: LogLevel = 'info'
const levels = new WeakMap<SessionAudience, LogLevel>()

/** Messages of handlers to the client (specification: Logging): `notifications/message` from a floor up. */
export const LOGGING: DeprecatedFeature = {
  name: 'Logging',
  instead: 'write to stderr, or use OpenTelemetry',
  emission: ['log', encodeLog],
  sessionMethod: ['logging/setLevel', setLevel],
  capability: 'logging',
  checkMeta: (meta) => {
    const level = meta[MetaKey.logLevel]
    if (level !== undefined && !isLogLevel(level)) throw noLevel(`_meta["${MetaKey.logLevel}"]`)
  },
}

function setLevel(session: SessionAudience, { level }: JsonObject): JsonObject {
  if (!isLogLevel(level)) throw noLevel('params.level')
  levels.set(session, level)
  return {}
}

/** The least level that is sent to the audience; undefined: nothing is sent. */
function floorOf(audience: Audience): LogLevel | undefined {
  switch (audience.type) {
    case 'session':
      return levels.get(audience) ?? UNASKED
    case 'request': {
      const level = audience.meta[MetaKey.logLevel]
      return isLogLevel(level) ? level : undefined
    }
    case 'nobody':
      return undefined
  }
}

function encodeLog(...[emission, audience, meta]: Parameters<EmissionEncoder>): Buffer | undefined {
  if (emission.type !== 'log') return undefined
  const { level, data, logger } = emission
  const floor = floorOf(audience)
  if (floor === undefined || !reaches(level, floor)) return undefined
  const named = { ...(logger === undefined ? {} : { logger }), ...meta }
  try {
    return encodeNotification('notifications/message', { level, ...named, data: data ?? null })
  } catch (error) {
    // A value that JSON cannot carry must not end the handler for the sake of a log line.
    const reason = messageOf(error)
    return encodeNotification('notifications/message', { level, ...named, data: `(no JSON: ${reason})` })
  }
}

function noLevel(where: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidParams, `${where} must be one of the eight log levels`)
}
