import type { ConnectionListeners, LogMessage } from '../../client/events.ts'
import type { Progress } from '../../client/channel.ts'
import { LOG_LEVELS } from '../../protocol/log-level.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import type { ClientSettings } from '../connection/client-flags.ts'
import { writeNote } from '../output/output.ts'

/** The level from which log messages are shown unless `--log-level` says otherwise. */
const USUAL_LEVEL = 'warning'

/** Writes to stderr what a server sends beside its responses: log messages from `--log-level` on, or warnings and worse. */
export function progressOutput({ logLevel = USUAL_LEVEL }: ClientSettings): ConnectionListeners {
  const least = LOG_LEVELS.indexOf(logLevel)
  return {
    log: (message) => {
      if (severityOf(message) >= least) writeLog(message)
    },
    warning: (text) => writeNote(`patchbay: ${text}`),
    sessionRenewed: () => writeNote('patchbay: the server lost the session; a new one began'),
  }
}

/** The severity of a message; one with an unknown level is always shown. */
function severityOf({ level }: LogMessage): number {
  const at = LOG_LEVELS.findIndex((known) => known === level)
  return at === -1 ? LOG_LEVELS.length : at
}

function writeLog({ level, logger, data }: LogMessage): void {
  const from = logger === undefined ? '' : ` ${logger}:`
  writeNote(`[${level}]${from} ${typeof data === 'string' ? data : stringifyExact(data)}`)
}

/** A line for a sign of progress. */
export function writeProgress({ progress, total, message }: Progress): void {
  const far = total === undefined ? String(progress) : `${progress} of ${total}`
  writeNote(`progress: ${far}${message === undefined ? '' : ` ${message}`}`)
}
