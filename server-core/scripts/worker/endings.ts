import { handlerErrorText } from '../../registry/handler-errors.ts'

/**
 * Makes everything by which code ends itself end this Worker alone, after it has told why. What a script throws outside
 * of its handlers (in a timer, in a promise that nobody looks at) ends it too: nobody knows what state it left.
 */
export function reportEndings(
  report: (why: { readonly reason: string; readonly error: unknown }) => void,
): void {
  const exit = process.exit.bind(process)
  const end = (reason: string, error: unknown, code: number): never => {
    report({ reason, error })
    return exit(code)
  }
  const here = () => new Error('ended here')
  const replace = (name: 'exit' | 'abort' | 'kill', value: unknown) => {
    Object.defineProperty(process, name, { value, configurable: true, writable: true })
  }
  replace('exit', (code: unknown = process.exitCode) => {
    const shown = typeof code === 'number' || typeof code === 'string' ? String(code) : '0'
    return end(`called process.exit(${shown})`, here(), Number(shown) || 0)
  })
  replace('abort', () => end('called process.abort()', here(), 134))
  const kill = process.kill.bind(process)
  replace('kill', (pid: number, signal: string | number = 'SIGTERM') => {
    const itself = pid === process.pid || pid === 0 || pid === -process.pid
    return itself && signal !== 0
      ? end(`called process.kill for its own process with ${String(signal)}`, here(), 137)
      : kill(pid, signal)
  })
  process.on('uncaughtException', (error: unknown, origin) => {
    const what =
      origin === 'unhandledRejection' ? 'left a rejection unhandled' : 'threw outside of its handlers'
    end(`${what}: ${handlerErrorText(error)}`, error, 1)
  })
}
