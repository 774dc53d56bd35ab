import type Electron from 'electron'
import { strict } from '../strict.ts'

type PageHandler = Parameters<Electron.Protocol['handle']>[1]

/** Schemes of the app and who answers them. `app://host/path` is carried as `http://host.app.localhost/path`. */
export class Schemes {
  readonly #declared = new Set<string>()
  readonly #handlers = new Map<string, PageHandler>()
  readonly #isReady: () => boolean

  constructor(isReady: () => boolean) {
    this.#isReady = isReady
  }

  readonly protocol = strict('protocol', {
    registerSchemesAsPrivileged: (list: Electron.CustomScheme[]): void => {
      if (this.#isReady()) {
        throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
      }
      for (const { scheme } of list) this.#declared.add(scheme)
    },
    handle: (scheme: string, handler: PageHandler): void => {
      if (this.#handlers.has(scheme)) throw new Error(`The scheme ${scheme} has been handled`)
      this.#handlers.set(scheme, handler)
    },
  } satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'>)

  /** Patterns of the requests that the app answers itself. */
  patterns(): string[] {
    return [...this.#declared].map((scheme) => `http://*.${scheme}.localhost/*`)
  }

  handlerOf(appUrl: string): PageHandler | undefined {
    return this.#handlers.get(appUrl.slice(0, appUrl.indexOf(':')))
  }

  toBrowser(url: string): string {
    const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
    return this.#declared.has(scheme) ? `http://${host}.${scheme}.localhost${rest === '' ? '/' : rest}` : url
  }

  toApp(url: string): string {
    const [, host = '', scheme = '', rest = '/'] =
      /^http:\/\/(.*)\.([a-z0-9+-]+)\.localhost(?::\d+)?(\/.*)?$/i.exec(url) ?? []
    return this.#declared.has(scheme) ? `${scheme}://${host}${rest}` : url
  }
}

/** Stores the permission handlers; the browser below asks none of them. */
export const defaultSession = strict('session.defaultSession', {
  setPermissionRequestHandler: () => undefined,
  setPermissionCheckHandler: () => undefined,
  setDevicePermissionHandler: () => undefined,
} satisfies Pick<
  Electron.Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
>)
