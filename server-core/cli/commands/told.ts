import type { ConnectionListeners, LogMessage } from '../../client/events.ts'
import type { Progress } from '../../client/channel.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { tell } from '../output.ts'

/** What a server says beside its answers, on stderr. */
export const TELLING: ConnectionListeners = {
  log: tellLog,
  warning: (text) => tell(`patchbay: ${text}`),
  sessionRenewed: () => tell('patchbay: the server lost the session; a new one began'),
}

function tellLog({ level, logger, data }: LogMessage): void {
  const from = logger === undefined ? '' : ` ${logger}:`
  tell(`[${level}]${from} ${typeof data === 'string' ? data : stringifyExact(data)}`)
}

/** A line for a sign of progress. */
export function tellProgress({ progress, total, message }: Progress): void {
  const far = total === undefined ? String(progress) : `${progress} of ${total}`
  tell(`progress: ${far}${message === undefined ? '' : ` ${message}`}`)
}
