import type { Token } from 'marked'

/** What the worker that parses Markdown sends: that it listens, then what became of the text that it was sent. */
export type MarkdownReply =
  | { readonly type: 'ready' }
  | { readonly type: 'parsed'; readonly tokens: readonly Token[] }
  | { readonly type: 'failed' }
