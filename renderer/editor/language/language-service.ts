import { javascriptLanguage, typescriptLanguage } from '@codemirror/lang-javascript'
import { LSPClient, signatureHelp } from '@codemirror/lsp-client'
import type { Extension, Text } from '@codemirror/state'
import { trustedMarkup } from '../../csp/trusted-types.ts'
import { Observable } from '../../state/observable.ts'
import { checkAgain, checking } from './check.ts'
import { hover } from './hover.ts'
import { HostTransport, type Ending, type LanguageHost } from './host-transport.ts'
import { OpenScripts } from './open-scripts.ts'

/** How it stands with the language server of this page. */
export type LanguageState =
  | { readonly status: 'off' | 'running' }
  /** There is none; `detail` says why in words, and `restart` would start one. */
  | { readonly status: 'missing'; readonly detail: string }

/** Milliseconds for one answer; the first one waits until the whole project was read. */
const TIMEOUT_MS = 30_000

/** Returns whether TypeScript's language server knows files of this name. */
export function isScript(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file)
}

/**
 * TypeScript's language server for the scripts that are open in this page. It is started by the first of them and again
 * when it crashed or was idle; where that is of no use `state` says why.
 */
export class LanguageService {
  readonly state = new Observable<LanguageState>({ status: 'off' })
  readonly #host: LanguageHost
  readonly #folderUri: string
  readonly #client: LSPClient
  readonly #scripts: OpenScripts
  #transport: HostTransport | undefined
  /** It ended for lack of use, and is started by the next use. */
  #sleeps = false
  #isRefused = false
  #isClosed = false

  /** @param folderUri of the workspace, without a slash at its end */
  constructor(host: LanguageHost, folderUri: string) {
    this.#host = host
    this.#folderUri = folderUri
    let scripts: OpenScripts | undefined
    this.#client = new LSPClient({
      rootUri: folderUri,
      timeout: TIMEOUT_MS,
      // Tooltips with signatures are drawn by the library, as markup.
      sanitizeHTML: trustedMarkup,
      highlightLanguage: (name) =>
        /^(?:typescript|tsx?)$/.test(name)
          ? typescriptLanguage
          : /^(?:javascript|jsx?)$/.test(name)
            ? javascriptLanguage
            : null,
      workspace: (client) => (scripts = new OpenScripts(client)),
      extensions: [hover, signatureHelp(), { clientCapabilities: CAPABILITIES, editorExtension: checking }],
      notificationHandlers: {
        'workspace/diagnostic/refresh': () => {
          this.#checkAll()
          return true
        },
      },
    })
    this.#scripts = scripts ?? new OpenScripts(this.#client)
  }

  uriOf(file: string): string {
    return `${this.#folderUri}/${file.split('/').map(encodeURIComponent).join('/')}`
  }

  /** The path in the workspace; undefined for what is outside of it. */
  fileOf(uri: string): string | undefined {
    const start = `${this.#folderUri}/`
    if (!uri.startsWith(start)) return undefined
    return uri.slice(start.length).split('/').map(decodeURIComponent).join('/')
  }

  /** What the editor of a script has of it. Making one starts the server. */
  extensionFor(file: string): Extension {
    this.wake()
    return this.#client.plugin(this.uriOf(file), /\.[cm]?tsx?$/.test(file) ? 'typescript' : 'javascript')
  }

  /** A script that is not shown has another text. */
  changed(file: string, doc: Text): void {
    this.#scripts.changed(this.uriOf(file), doc)
  }

  /** The tab of a script was closed. */
  closed(file: string): void {
    this.#scripts.release(this.uriOf(file))
  }

  /** Sends the server the text so far; to be called before a view goes on to another file. */
  sync(): void {
    this.#client.sync()
  }

  /** Starts the server if there is none and nothing speaks against it. */
  wake(): void {
    const { status } = this.state.get()
    if (this.#transport === undefined && !this.#isClosed && (status === 'off' || this.#sleeps))
      void this.#run(false)
  }

  /** Starts the server if it was refused: what spoke against it may be gone. */
  retry(): void {
    if (this.#isRefused) this.restart()
  }

  /** Starts the server, whatever spoke against it before. */
  restart(): void {
    if (this.#transport === undefined) void this.#run(true)
  }

  /** Ends it for good. */
  close(): void {
    this.#isClosed = true
    this.#transport?.leave()
  }

  async #run(restart: boolean): Promise<void> {
    const transport = new HostTransport(this.#host)
    this.#transport = transport
    this.#sleeps = false
    this.#isRefused = false
    const running = transport.run(restart)
    this.#client.connect(transport)
    this.#client.initializing.then(
      () => {
        if (this.#transport !== transport) return
        this.state.set({ status: 'running' })
        this.#checkAll()
      },
      // What did not begin is over soon, and that says why.
      () => undefined,
    )
    const ending = await running
    this.#client.disconnect()
    this.#transport = undefined
    this.#over(ending)
  }

  #over(ending: Ending): void {
    if (this.#isClosed) return
    switch (ending.reason) {
      case 'idle':
      case 'lost':
        this.#sleeps = true
        this.state.set({ status: 'off' })
        return
      case 'crashed':
        this.state.set({ status: 'off' })
        void this.#run(false)
        return
      case 'stopped':
      case 'refused':
        this.#isRefused = ending.reason === 'refused'
        this.state.set({ status: 'missing', detail: ending.detail })
    }
  }

  #checkAll(): void {
    for (const { view } of this.#scripts.files) if (view !== undefined) checkAgain(view)
  }
}

const CAPABILITIES = {
  workspace: { configuration: true, diagnostics: { refreshSupport: true } },
  textDocument: {
    completion: {
      completionItem: {
        snippetSupport: false,
        labelDetailsSupport: true,
        resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
      },
    },
    diagnostic: { tagSupport: { valueSet: [1, 2] } },
  },
}
