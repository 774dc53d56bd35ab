import type { Token } from 'marked'
import { startWorker } from '../../../csp/trusted-types.ts'
import type { MarkdownReply } from './markdown-messages.ts'
import workerUrl from './markdown-worker.ts?worker&url'

/** Milliseconds that a text may take. */
const PARSE_MS = 1_000

/**
 * Parses Markdown in a worker of its own, which ends with it.
 *
 * @param signal ends it early
 * @returns undefined if it cannot be parsed, took too long, or was ended early. Never rejects
 */
export function parseMarkdown(text: string, signal: AbortSignal): Promise<readonly Token[] | undefined> {
  return new Promise((resolve) => {
    const worker = startWorker(workerUrl)
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = (tokens?: readonly Token[]): void => {
      clearTimeout(timer)
      worker.terminate()
      resolve(tokens)
    }
    worker.addEventListener('message', ({ data }: MessageEvent<MarkdownReply>) => {
      if (data.type === 'ready') {
        timer = setTimeout(() => end(), PARSE_MS)
        worker.postMessage(text)
      } else end(data.type === 'parsed' ? data.tokens : undefined)
    })
    worker.addEventListener('error', () => end())
    signal.addEventListener('abort', () => end(), { once: true })
  })
}
