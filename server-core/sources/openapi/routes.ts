import type { RouteData } from '../config-data.ts'
import type { Operation } from './operation.ts'

/** Returns whether a path fits a pattern. */
type Fits = (path: string) => boolean

/** Which route of the map each operation takes: the first that fits. */
export class Routes {
  readonly #routes: readonly { readonly route: RouteData; readonly fits: (operation: Operation) => boolean }[]

  private constructor(
    routes: readonly { readonly route: RouteData; readonly fits: (operation: Operation) => boolean }[],
  ) {
    this.#routes = routes
  }

  static async of(routes: readonly RouteData[]): Promise<Routes> {
    const pattern = routes.some(({ path, operationId }) => path !== undefined || operationId !== undefined)
      ? (await import('picomatch')).default
      : undefined
    // The braces of the parameters are text, not alternatives.
    const fitsOf = (text: string | undefined): Fits =>
      text === undefined || pattern === undefined ? () => true : pattern(text, { nobrace: true, dot: true })
    return new Routes(
      routes.map((route) => {
        const { methods, tag } = route
        const path = fitsOf(route.path)
        const id = route.operationId === undefined ? undefined : fitsOf(route.operationId)
        return {
          route,
          fits: (operation) =>
            (methods === undefined || methods.includes(operation.method)) &&
            (tag === undefined || operation.tags.includes(tag)) &&
            (id === undefined || (operation.operationId !== undefined && id(operation.operationId))) &&
            path(operation.path),
        }
      }),
    )
  }

  /** Undefined where none fits: the operation becomes a tool. */
  routeOf(operation: Operation): RouteData | undefined {
    return this.#routes.find(({ fits }) => fits(operation))?.route
  }
}
