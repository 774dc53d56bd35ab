import { OutputLines } from '../output-lines.ts'
import type { ScriptCall } from '../script-host.ts'
import { ofRunningCall, runningCall } from './running-call.ts'

type Line = { readonly stream: 'stdout' | 'stderr'; readonly text: string; readonly call?: ScriptCall }

/**
 * Replaces `process.stdout` and `process.stderr`, and so `console`: output is reported line
 * by line, with the call that printed it, not more than a budget. Returns a function that reports the rest at the end.
 */
export function captureOutput(bytesPerSecond: number, report: (line: Line) => void): { flush(): void } {
  const lines = new OutputLines(bytesPerSecond, (line) => {
    report({ ...line, ...ofRunningCall() })
  })
  for (const stream of ['stdout', 'stderr'] as const) {
    const write = (chunk: unknown, ...rest: readonly unknown[]): boolean => {
      const [encoding] = rest
      if (typeof chunk === 'string' && isUtf8(encoding)) lines.takeText(stream, chunk)
      else lines.take(stream, bytesOf(chunk, encoding))
      const done = rest.find((item) => typeof item === 'function')
      if (done !== undefined) queueMicrotask(done as () => void)
      return true
    }
    Object.defineProperty(process[stream], 'write', { value: write, configurable: true, writable: true })
  }
  return {
    flush: () => {
      // The rest is nobody's: who asks for it did not print it.
      runningCall.exit(() => {
        lines.flush()
      })
    },
  }
}

function isUtf8(encoding: unknown): boolean {
  return typeof encoding !== 'string' || encoding === 'utf8' || encoding === 'utf-8'
}

function bytesOf(chunk: unknown, encoding: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk
  return Buffer.from(
    String(chunk),
    Buffer.isEncoding(String(encoding)) ? (encoding as BufferEncoding) : 'utf8',
  )
}
