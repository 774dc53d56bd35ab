import { revisionRow, type Revision } from '../protocol/revisions.ts'

/** Which routes a listener serves: those that are true. */
export type Routes = {
  /** Streamable HTTP at `/mcp`. */
  readonly mcp?: boolean
  /** HTTP+SSE (2024-11-05) at `/sse` and `/messages`. */
  readonly sse?: boolean
  /** WebSocket at `/ws`. */
  readonly ws?: boolean
}

/** Where clients connect, by route. */
export type RouteUrls = { readonly mcp?: string; readonly sse?: string; readonly ws?: string }

/** What a path serves. */
export type RouteName = 'mcp' | 'sse' | 'messages' | 'ws'

export const PATHS: Readonly<Record<RouteName, string>> = {
  mcp: '/mcp',
  sse: '/sse',
  messages: '/messages',
  ws: '/ws',
}

const METHODS: Readonly<Record<RouteName, readonly string[]>> = {
  mcp: ['POST', 'GET', 'DELETE', 'OPTIONS'],
  sse: ['GET', 'OPTIONS'],
  messages: ['POST', 'OPTIONS'],
  ws: ['GET', 'OPTIONS'],
}

/** One path of a listener. */
export type Route = {
  readonly name: RouteName
  readonly path: string
  /** The path that clients connect to, which stands for this one too. */
  readonly entry: string
  readonly methods: ReadonlySet<string>
  /** The value of `Allow`. */
  readonly allow: string
}

/** Throws a `RangeError` if nothing is to be served, or a route on which none of the revisions can be spoken. */
export function requireRoute(
  { mcp = false, sse = false, ws = false }: Routes,
  revisions: readonly Revision[],
): void {
  if (!mcp && !sse && !ws) throw new RangeError('a listener needs one route at least: mcp, sse or ws')
  if (sse && !revisions.some((revision) => revisionRow(revision)?.era === 'legacy')) {
    throw new RangeError(
      `the route sse needs a server of a revision that opens with a handshake; ${revisions.join(', ')} has none`,
    )
  }
}

/** The paths of a listener. */
export class RouteTable {
  readonly urls: RouteUrls
  /** Names the listener. */
  readonly origin: string
  /** What stands where no path is known. */
  readonly anywhere = routeOf('mcp', METHODS.mcp)
  readonly #byPath: ReadonlyMap<string, Route>

  constructor(routes: Routes, host: string, port: number) {
    const { mcp = false, sse = false, ws = false } = routes
    const at = `${host.includes(':') ? `[${host}]` : host}:${port}`
    this.origin = `http://${at}`
    this.urls = {
      ...(mcp && { mcp: `http://${at}${PATHS.mcp}` }),
      ...(sse && { sse: `http://${at}${PATHS.sse}` }),
      ...(ws && { ws: `ws://${at}${PATHS.ws}` }),
    }
    const names: RouteName[] = [
      ...(mcp ? (['mcp'] as const) : []),
      ...(sse ? (['sse', 'messages'] as const) : []),
      ...(ws ? (['ws'] as const) : []),
    ]
    this.#byPath = new Map(names.map((name) => [PATHS[name], routeOf(name, METHODS[name])]))
  }

  /** The address that stands for all. */
  get first(): string {
    const { mcp, sse, ws } = this.urls
    return mcp ?? sse ?? ws ?? this.origin
  }

  /** The addresses for people. */
  get list(): string {
    return Object.values(this.urls).join(', ')
  }

  /** The route of a request's target, whatever its query. */
  find(target: string): Route | undefined {
    const exact = this.#byPath.get(target)
    if (exact !== undefined) return exact
    const query = target.indexOf('?')
    return query === -1 ? undefined : this.#byPath.get(target.slice(0, query))
  }
}

function routeOf(name: RouteName, methods: readonly string[]): Route {
  const entry = name === 'messages' ? PATHS.sse : PATHS[name]
  return { name, path: PATHS[name], entry, methods: new Set(methods), allow: methods.join(', ') }
}
