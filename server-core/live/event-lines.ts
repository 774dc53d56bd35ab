import type { ScriptEvent } from '../scripts/script-host.ts'
import type { ScriptLog } from './script-log.ts'

/** Writes what a script did into the log; `revision` is its own count. */
export function writeEvent(log: ScriptLog, event: ScriptEvent, revision: number): void {
  if (event.type === 'stray-output') {
    log.write({ file: '', revision: 0, kind: event.stream, text: event.text })
    return
  }
  const of = { file: event.file, revision }
  switch (event.type) {
    case 'output':
      log.write({ ...of, kind: event.stream, text: event.text })
      break
    case 'fault':
    case 'crash': {
      const place = event.at === undefined ? {} : { place: { ...event.at, text: event.at.text ?? '' } }
      const said = event.type === 'fault' ? event.message : `its Worker ${event.reason}`
      log.write({ ...of, kind: 'error', text: said, ...place })
      break
    }
    case 'stopped':
      log.write({ ...of, kind: 'error', text: `switched off: ${event.reason}` })
      break
    case 'started':
    case 'ended':
      log.write({ ...of, kind: 'info', text: `its Worker ${event.type}` })
  }
}
