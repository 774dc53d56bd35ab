import { EventEmitter } from 'node:events'
import type Electron from 'electron'
import { cancellable } from '../strict.ts'
import type { BrowserHost } from './browser-host.ts'
import { WebContents } from './web-contents.ts'

/** The part of Electron's own type that is offered; a signature that changes there fails the type check here. */
type Surface = Pick<
  Electron.BrowserWindow,
  | 'id'
  | 'loadURL'
  | 'getSize'
  | 'getMinimumSize'
  | 'setBackgroundColor'
  | 'getBackgroundColor'
  | 'getTitle'
  | 'isVisible'
  | 'isMinimized'
  | 'restore'
  | 'show'
  | 'focus'
  | 'close'
  | 'isDestroyed'
>

/** A window as a page of the browser. Throws on options that are not sandboxed and isolated. */
export class BrowserWindow extends EventEmitter implements Surface {
  static readonly all = new Map<number, BrowserWindow>()
  /** Set once the browser is up. */
  static host: BrowserHost | undefined

  readonly webContents: WebContents
  readonly id: number
  readonly #size: readonly [number, number]
  readonly #minimum: readonly [number, number]
  #backgroundColor: string
  #visible: boolean
  #title: string
  #loaded = false
  #destroyed = false

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super()
    const host = BrowserWindow.host
    if (host === undefined) throw new Error('Cannot create BrowserWindow before app is ready')
    const preferences = {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      ...options.webPreferences,
    }
    if (preferences.nodeIntegration || !preferences.contextIsolation || !preferences.sandbox) {
      throw new Error('electron stand-in: only sandboxed windows with context isolation are supported')
    }
    this.#size = [options.width ?? 800, options.height ?? 600]
    this.#minimum = [options.minWidth ?? 0, options.minHeight ?? 0]
    this.#backgroundColor = options.backgroundColor ?? '#FFFFFF'
    this.#visible = options.show !== false
    this.#title = options.title ?? ''
    this.webContents = new WebContents(
      {
        close: () => this.close(),
        loaded: () => this.#becomeReady(),
        getSize: () => this.getSize(),
      },
      host,
      preferences,
    )
    this.id = this.webContents.id
    BrowserWindow.all.set(this.id, this)
    host.emitToApp('web-contents-created', {}, this.webContents)
    host.emitToApp('browser-window-created', {}, this)
    this.webContents.on('page-title-updated', (_event, title: string) => {
      this.#title = title
    })
  }

  #becomeReady(): void {
    if (this.#loaded) return
    this.#loaded = true
    this.emit('ready-to-show')
  }

  readonly reload = (): void => this.webContents.reload()
  readonly loadURL = (url: string): Promise<void> => this.webContents.load(url)
  readonly getSize = (): number[] => [...this.#size]
  readonly getMinimumSize = (): number[] => [...this.#minimum]
  readonly getBackgroundColor = (): string => this.#backgroundColor
  readonly setBackgroundColor = (color: string): void => {
    this.#backgroundColor = color
  }

  readonly getTitle = (): string => this.#title
  readonly isVisible = (): boolean => this.#visible
  readonly isMinimized = (): boolean => false
  readonly restore = (): void => undefined
  readonly isDestroyed = (): boolean => this.#destroyed
  readonly focus = (): void => void this.emit('focus')
  readonly show = (): void => {
    this.#visible = true
    this.emit('show')
  }

  readonly close = (): void => {
    const event = cancellable({})
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }

  /** `closeTarget` is false when the browser closed the tab by itself. */
  readonly destroy = (closeTarget = true): void => {
    if (this.#destroyed) return
    this.#destroyed = true
    BrowserWindow.all.delete(this.id)
    this.webContents.destroy(closeTarget)
    this.emit('closed')
    if (BrowserWindow.all.size === 0) BrowserWindow.host?.emitToApp('window-all-closed')
  }

  static getAllWindows(): BrowserWindow[] {
    return [...BrowserWindow.all.values()]
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return BrowserWindow.all.get(contents.id) ?? null
  }

  static fromId(id: number): BrowserWindow | null {
    return BrowserWindow.all.get(id) ?? null
  }
}
