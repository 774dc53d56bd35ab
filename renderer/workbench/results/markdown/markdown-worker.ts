import { Lexer } from 'marked'
import type { MarkdownReply } from './markdown-messages.ts'

self.postMessage({ type: 'ready' } satisfies MarkdownReply)

/** Parses Markdown off the page's main thread: there are texts for which the parser takes minutes. */
self.addEventListener('message', (event: MessageEvent<string>) => {
  try {
    self.postMessage({
      type: 'parsed',
      tokens: new Lexer({ gfm: true }).lex(event.data),
    } satisfies MarkdownReply)
  } catch {
    // Nested so deeply that the parser gives up.
    self.postMessage({ type: 'failed' } satisfies MarkdownReply)
  }
})
