import type { Connection } from '../../client/connect.ts'
import type { ConnectionEvents } from '../../client/events.ts'
import type { OpenUpstream } from './upstream.ts'

/**
 * The way to a server over a connection that is open already, whoever made it. All clients in front share it, in the
 * words and with the answers that it was made with; closing what is served leaves it open. Rejects once it is closed.
 */
export function connectedUpstream(connection: Connection): OpenUpstream {
  let closedBy: string | undefined
  void connection.closed.then(({ message }) => {
    closedBy = message
  })
  return ({ listeners }) => {
    if (closedBy !== undefined) return Promise.reject(new Error(`the connection is closed: ${closedBy}`))
    const stops: (() => void)[] = []
    const { closed, ...events } = listeners
    for (const name of Object.keys(events) as (keyof ConnectionEvents)[]) {
      const listener = listeners[name] as ((value: unknown) => void) | undefined
      if (listener !== undefined) stops.push(connection.on(name, listener))
    }
    void connection.closed.then(closed)
    return Promise.resolve(borrowed(connection, stops))
  }
}

/** The connection, of which closing ends what this user of it listens to. */
function borrowed(connection: Connection, stops: (() => void)[]): Connection {
  const own = {
    close: () => {
      for (const stop of stops.splice(0)) stop()
      return Promise.resolve()
    },
    onListChanged: (listener: Parameters<Connection['onListChanged']>[0]) => {
      const stop = connection.onListChanged(listener)
      stops.push(stop)
      return stop
    },
  }
  return new Proxy(connection, {
    get(target, name) {
      if (name === 'close' || name === 'onListChanged') return own[name]
      const value: unknown = Reflect.get(target, name, target)
      // Its methods reach private members, which a stand-in has not.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
