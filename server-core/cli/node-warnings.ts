import type { ServeLog } from './serve-log.ts'

/**
 * Tells what Node or a package warns of as the rest is told, in place of Node's own lines with their process id and
 * advice for developers. That something deprecated is served is no fault, and told once.
 */
export function logWarnings(log: ServeLog): void {
  // What Node prints is a listener like any other.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    if (name === 'DeprecationWarning') log.info(message)
    else log.warning(name === 'Warning' ? message : `${name}: ${message}`)
  })
}
