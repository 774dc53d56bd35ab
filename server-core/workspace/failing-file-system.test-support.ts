import type { FileHandle } from 'node:fs/promises'
import type { FileSystem } from './atomic-file.ts'

/** A file system whose nth call fails with a code; everything else is done by the real one. */
export class FailingFileSystem implements FileSystem {
  hasFailed = false
  readonly #real: FileSystem
  readonly #nth: number
  readonly #code: string
  #calls = 0

  constructor(real: FileSystem, nth: number, code: string) {
    this.#real = real
    this.#nth = nth
    this.#code = code
  }

  readonly open: FileSystem['open'] = async (...args) => {
    this.#count('open')
    return this.#watched(await this.#real.open(...args))
  }

  readonly rename: FileSystem['rename'] = (...args) => {
    this.#count('rename')
    return this.#real.rename(...args)
  }

  /** Tidying up works even on a full disk. */
  readonly rm: FileSystem['rm'] = (...args) => this.#real.rm(...args)

  #count(name: string): void {
    this.#calls += 1
    if (this.#calls !== this.#nth) return
    this.hasFailed = true
    throw Object.assign(new Error(`${this.#code}: ${name}`), { code: this.#code })
  }

  #watched(handle: FileHandle): FileHandle {
    return new Proxy(handle, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return async (...args: unknown[]): Promise<unknown> => {
          // A handle whose close fails is closed all the same.
          if (name === 'close') await Reflect.apply(value, target, args)
          this.#count(String(name))
          return name === 'close' ? undefined : ((await Reflect.apply(value, target, args)) as unknown)
        }
      },
    })
  }
}
