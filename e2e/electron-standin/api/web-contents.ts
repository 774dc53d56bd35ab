import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type Electron from 'electron'
import type { Session } from '../cdp.ts'
import { cancellable } from '../strict.ts'
import type { BrowserHost } from './browser-host.ts'
import { ipcMain } from './ipc-main.ts'
import { FulfilledPage } from './page-requests.ts'
import '../page/codec.js'

const WORLD = 'Electron Isolated Context'
const page = (file: string): string =>
  readFileSync(path.join(import.meta.dirname, '..', 'page', file), 'utf8').trim()

type Codec = { readonly encode: (value: unknown) => string; readonly decode: (text: string) => unknown[] }
const { encode, decode } = (globalThis as unknown as { __standinCodec: Codec }).__standinCodec

type FromPage =
  | { readonly kind: 'send'; readonly channel: string; readonly args: string }
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'close' }

/** The window a contents belongs to, as far as it needs it. */
export type Owner = { close(): void; loaded(): void; getSize(): number[] }

const all = new Map<number, WebContents>()
let nextId = 1

/** The part of Electron's own type that is offered; a signature that changes there fails the type check here. */
type Surface = Pick<
  Electron.WebContents,
  | 'id'
  | 'send'
  | 'reload'
  | 'executeJavaScript'
  | 'forcefullyCrashRenderer'
  | 'getURL'
  | 'isDestroyed'
  | 'setWindowOpenHandler'
  | 'getOrCreateDevToolsTargetId'
>

/** The page of a window: what Electron does in its renderer is done in Chromium over the DevTools protocol. */
export class WebContents extends EventEmitter implements Surface {
  readonly id = nextId++
  readonly #owner: Owner
  readonly #host: BrowserHost
  readonly #preferences: Electron.WebPreferences
  readonly #attached: Promise<Session>
  readonly #secret = randomUUID()
  readonly #ours = new Set<string>()
  #world: string | undefined
  #frameId = ''
  #targetId = ''
  #url = ''
  #destroyed = false
  #decideOpen: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] = () => ({ action: 'deny' })

  constructor(owner: Owner, host: BrowserHost, preferences: Electron.WebPreferences) {
    super()
    this.#owner = owner
    this.#host = host
    this.#preferences = preferences
    all.set(this.id, this)
    this.#attached = this.#attach()
    this.#attached.catch((error: unknown) => {
      if (!this.#destroyed) console.error('electron stand-in: attach', error)
    })
  }

  async #attach(): Promise<Session> {
    const { root } = this.#host.cdp()
    const [width = 0, height = 0] = this.#owner.getSize()
    const { targetId } = await root.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
    })
    this.#targetId = targetId
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true })
    const session = this.#host.cdp().session(sessionId)
    this.#listen(session)
    const { frameTree } = await session.send('Page.getFrameTree')
    this.#frameId = frameTree.frame.id
    const document = { urlPattern: '*', resourceType: 'Document' as const }
    const own = this.#host.schemes.patterns().map((urlPattern) => ({ urlPattern }))
    await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Inspector.enable'),
      session.send('Runtime.addBinding', { name: '__standinSend', executionContextName: WORLD }),
      session.send('Fetch.enable', { patterns: [document, ...own] }),
    ])
    const secret = JSON.stringify(this.#secret)
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: callScript('main-world.js', secret),
    })
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: WORLD,
      source: `${page('codec.js')};\n${callScript('isolated-world.js', secret, environment(), this.#preloadSource())}`,
    })
    return session
  }

  #preloadSource(): string {
    const { preload } = this.#preferences
    const source = preload === undefined ? '' : readFileSync(preload, 'utf8')
    return `(function (require, module, exports, process) {\n${source}\n})`
  }

  #listen(session: Session): void {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const frameId = (context.auxData as { frameId?: string } | undefined)?.frameId
      if (context.name === WORLD && frameId === this.#frameId) this.#world = context.uniqueId
    })
    session.on('Runtime.executionContextsCleared', () => {
      this.#world = undefined
    })
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === '__standinSend') this.#hear(JSON.parse(payload) as FromPage)
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#url = frame.url
    })
    session.on('Inspector.targetCrashed', () => {
      this.#host.emitToApp('render-process-gone', {}, this, { reason: 'crashed', exitCode: 133 })
    })
    session.on('Page.loadEventFired', () => {
      if (!this.#url.startsWith('http')) return
      this.emit('did-finish-load', {})
      this.#owner.loaded()
    })
    const pages = new FulfilledPage(session, this.#host.schemes, (request) => this.#mayNavigate(request))
    session.on('Fetch.requestPaused', (paused) => {
      pages.answer(paused).catch((error: unknown) => {
        if (!this.#destroyed) console.error('electron stand-in: request', error)
      })
    })
  }

  /** Asks the app's guards about a document request that the app itself did not start. */
  #mayNavigate(request: { url: string; frameId: string }): boolean {
    const isMainFrame = request.frameId === this.#frameId
    const url = this.#host.schemes.toApp(request.url)
    if (isMainFrame && !this.#ours.delete(request.url)) {
      const event = cancellable({ url, isMainFrame, isSameDocument: false, frame: this.mainFrame })
      this.emit('will-frame-navigate', event)
      this.emit('will-navigate', event, url)
      if (event.defaultPrevented) return false
    } else if (!isMainFrame) {
      const event = cancellable({ url, isMainFrame, isSameDocument: false, frame: null })
      this.emit('will-frame-navigate', event)
      if (event.defaultPrevented) return false
    }
    if (isMainFrame) this.emit('did-start-navigation', { url, isMainFrame, isSameDocument: false })
    return true
  }

  #hear(message: FromPage): void {
    switch (message.kind) {
      case 'send':
        ipcMain.emit(message.channel, { sender: this, senderFrame: this.mainFrame }, ...decode(message.args))
        return
      case 'open': {
        const url = this.#host.schemes.toApp(message.url)
        const features = { url, frameName: '', features: '', disposition: 'foreground-tab' as const }
        const referrer = { url: this.getURL(), policy: 'default' as const }
        if (this.#decideOpen({ ...features, referrer }).action === 'allow') {
          throw new Error('electron stand-in: allowing a new window is not implemented')
        }
        return
      }
      case 'title':
        this.emit('page-title-updated', cancellable({}), message.title)
        return
      case 'close':
        this.#owner.close()
    }
  }

  readonly #frame = {
    owner: (): WebContents => this,
    get url(): string {
      return this.owner().getURL()
    },
  }

  get mainFrame(): { readonly url: string } {
    return this.#frame
  }

  readonly send = (channel: string, ...args: unknown[]): void => {
    if (this.#destroyed) throw new TypeError('Object has been destroyed')
    const message = { channel, args: encode(args) }
    void this.#deliver(message)
  }

  async #deliver(message: { channel: string; args: string }): Promise<void> {
    const session = await this.#attached
    if (this.#world === undefined || this.#destroyed) return
    await session
      .send('Runtime.callFunctionOn', {
        functionDeclaration: '(message) => globalThis.__standinDeliver(message)',
        arguments: [{ value: message }],
        uniqueContextId: this.#world,
      })
      .catch((error: unknown) => {
        // A page that is being replaced or closed, or has crashed, gets nothing, as in Electron.
        if (!this.#destroyed && !/context|closed|crashed|session/i.test(String(error))) throw error
      })
  }

  async load(url: string): Promise<void> {
    const session = await this.#attached
    const target = this.#host.schemes.toBrowser(url)
    this.#ours.add(target)
    const loaded = new Promise((resolve) => this.once('did-finish-load', resolve))
    const { errorText } = await session.send('Page.navigate', { url: target })
    if (errorText !== undefined) throw new Error(`${errorText} loading '${url}'`)
    await loaded
  }

  readonly forcefullyCrashRenderer = (): void => {
    // The answer never comes: its sender has ended.
    void this.#attached.then((session) => session.send('Page.crash')).catch(() => undefined)
  }

  readonly executeJavaScript = async (expression: string): Promise<unknown> => {
    const session = await this.#attached
    const { result } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    return result.value
  }

  readonly reload = (): void => {
    this.load(this.getURL()).catch((error: unknown) => console.error('electron stand-in: reload', error))
  }

  readonly getURL = (): string => (this.#url === 'about:blank' ? '' : this.#host.schemes.toApp(this.#url))
  readonly isDestroyed = (): boolean => this.#destroyed
  readonly getLastWebPreferences = (): Electron.WebPreferences => this.#preferences
  readonly getOrCreateDevToolsTargetId = (): string => this.#targetId
  readonly setWindowOpenHandler: Electron.WebContents['setWindowOpenHandler'] = (decide) => {
    this.#decideOpen = decide
  }

  /** The window was closed; `closeTarget` says whether the browser's tab is still to be closed. */
  destroy(closeTarget: boolean): void {
    if (this.#destroyed) return
    this.#destroyed = true
    all.delete(this.id)
    if (closeTarget) {
      const { root } = this.#host.cdp()
      void this.#attached
        .then(() => root.send('Target.closeTarget', { targetId: this.#targetId }))
        .catch(() => undefined)
    }
    this.emit('destroyed')
  }

  static fromId(id: number): WebContents | undefined {
    return all.get(id)
  }

  static fromDevToolsTargetId(targetId: string): WebContents | undefined {
    return [...all.values()].find((contents) => contents.#targetId === targetId)
  }

  static getAllWebContents(): WebContents[] {
    return [...all.values()]
  }
}

function callScript(file: string, ...args: string[]): string {
  const source = page(file)
    .replace(/^(\/\/.*\n)+/, '')
    .replace(/^;/, '')
  return `(${source})(${args.join(', ')})`
}

function environment(): string {
  return JSON.stringify({
    platform: process.platform,
    arch: process.arch,
    versions: process.versions,
    env: {},
  })
}
