import type { ServeLog } from './serve-log.ts'

/**
 * Prints warnings of Node and packages in our own format, in place of Node's lines with their process id and
 * advice for developers. That something deprecated is served is not a fault, and told once.
 */
export function logWarnings(log: ServeLog): void {
  // What Node prints is a listener like any other.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    if (name === 'DeprecationWarning') log.info(message)
    else log.warning(name === 'Warning' ? message : `${name}: ${message}`)
  })
}
