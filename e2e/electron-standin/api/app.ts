import { EventEmitter } from 'node:events'
import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type Electron from 'electron'
import { cancellable } from '../strict.ts'

type Parts = {
  readonly appPath: string
  readonly name: string
  readonly version: string
  /** Closes all windows; false if one of them refused. */
  closeWindows(): boolean
  /** Ends the browser. */
  closeBrowser(): Promise<unknown>
}

/** The part of Electron's own type that is offered; a signature that changes there fails the type check here. */
type Surface = Pick<
  Electron.App,
  | 'whenReady'
  | 'isReady'
  | 'getName'
  | 'getVersion'
  | 'getAppPath'
  | 'enableSandbox'
  | 'quit'
  | 'exit'
  | 'isPackaged'
  | 'requestSingleInstanceLock'
>

/** `app`: the life of the application, and the lock of one instance per user data folder. */
export class App extends EventEmitter implements Surface {
  readonly isPackaged = false
  readonly #parts: Parts
  readonly #paths = new Map<string, string>()
  readonly #whenReady: Promise<void>
  #markReady: () => void = () => undefined
  #isReady = false
  #quitting = false
  /** The first instance knows of this one. */
  #told = Promise.resolve()

  constructor(parts: Parts) {
    super()
    this.#parts = parts
    this.#whenReady = new Promise((resolve) => {
      this.#markReady = resolve
    })
  }

  /** The browser is up. */
  becomeReady(): void {
    this.#isReady = true
    this.#markReady()
    this.emit('ready', {}, {})
  }

  readonly whenReady = (): Promise<void> => this.#whenReady
  readonly isReady = (): boolean => this.#isReady
  readonly getName = (): string => this.#parts.name
  readonly getVersion = (): string => this.#parts.version
  readonly getAppPath = (): string => this.#parts.appPath
  readonly setPath = (name: string, folder: string): void => void this.#paths.set(name, folder)
  readonly enableSandbox = (): void => {
    if (this.#isReady) throw new Error('app.enableSandbox() can only be called before app is ready')
  }

  readonly getPath = (name: string): string => {
    const folder =
      this.#paths.get(name) ?? (name === 'userData' ? path.join(os.tmpdir(), this.#parts.name) : undefined)
    if (folder === undefined) throw new Error(`electron stand-in: app.getPath('${name}') is not implemented`)
    return folder
  }

  /** A link to the holder's pid beside a socket in the user data folder, as Chromium's own lock is on Linux. */
  readonly requestSingleInstanceLock = (additionalData?: object): boolean => {
    const folder = this.getPath('userData')
    mkdirSync(folder, { recursive: true })
    const lock = path.join(folder, 'standin-lock')
    const socket = path.join(folder, 'standin-socket')
    if (holderOf(lock) !== undefined) {
      const peer = net.connect(socket)
      peer.on('error', () => undefined)
      peer.end(JSON.stringify({ args: process.argv, folder: process.cwd(), data: additionalData ?? {} }))
      this.#told = new Promise((resolve) => peer.once('close', () => resolve()))
      return false
    }
    rmSync(lock, { force: true })
    rmSync(socket, { force: true })
    symlinkSync(String(process.pid), lock)
    const server = net.createServer((peer) => {
      peer.on('error', () => undefined)
      text(peer)
        .then((words) => {
          const { args, folder, data } = JSON.parse(words) as Record<'args' | 'folder' | 'data', unknown>
          peer.destroy()
          this.emit('second-instance', {}, args, folder, data)
        })
        .catch((error: unknown) => console.error('electron stand-in: second instance', error))
    })
    server.unref()
    server.listen(socket)
    process.once('exit', () => {
      rmSync(socket, { force: true })
      rmSync(lock, { force: true })
    })
    return true
  }

  readonly quit = (): void => {
    if (this.#quitting) return
    const before = cancellable({})
    this.emit('before-quit', before)
    if (before.defaultPrevented || !this.#parts.closeWindows()) return
    const will = cancellable({})
    this.emit('will-quit', will)
    if (will.defaultPrevented) return
    this.#quitting = true
    this.emit('quit', {}, 0)
    this.exit(0)
  }

  readonly exit = (code = 0): void => {
    const end = (): never => process.exit(code)
    Promise.all([this.#parts.closeBrowser(), this.#told]).then(end, end)
    setTimeout(end, 1_000).unref()
  }
}

/** The pid of the living process that holds the lock. */
function holderOf(lock: string): number | undefined {
  try {
    const pid = Number(readlinkSync(lock))
    process.kill(pid, 0)
    return pid
  } catch {
    // No lock, or one that a process left behind.
    return undefined
  }
}
