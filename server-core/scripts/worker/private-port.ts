import inspector from 'node:inspector'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads, { markAsUntransferable, MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { WorkerMessage } from '../channel.ts'
import { isPortEncoded, decodeFromPort } from '../encode-for-port.ts'

/** The channel of a Worker to its process, out of reach of the script. */
export type PrivatePort = {
  post(said: WorkerMessage): void
  /** @param listener called with each message, unpacked */
  onMessage(listener: (message: unknown) => void): void
}

/** Node looks here for what takes the messages of a port, before anything that a script could replace. */
const DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch')
const RECEIVING = Symbol.for('nodejs.internal.kCurrentlyReceivingPorts')

/**
 * Takes the port that this Worker was started with, and what else it was started with, out of what a script can see. To
 * be called before any code of a script runs. A script that speaks on the port nevertheless, by native code or by the
 * memory of the process, can only speak for itself: everything is parsed at the other end.
 *
 * @throws Error if there is no such port
 */
export function takePort(): { readonly port: PrivatePort; readonly data: unknown } {
  const given = workerData as { port?: unknown; start?: unknown } | null
  const { port, start: data } = given ?? {}
  if (given === null || !(port instanceof MessagePort))
    throw new Error('This runs in a Worker of the tool host; it cannot be started by hand.')
  delete given.port
  delete given.start
  // Nobody listens at its other end.
  parentPort?.close()
  const post = port.postMessage.bind(port) as (said: WorkerMessage) => void
  guard(port)
  return {
    data,
    port: {
      post,
      onMessage: (listener) => {
        const receive = (value: unknown): void => {
          if (!isPortEncoded(value))
            throw new TypeError('The process of this Worker sent an invalid message.')
          listener(decodeFromPort(value))
        }
        port.on('message', receive)
        // A replaced prototype would otherwise be handed the port with each message.
        own(port, RECEIVING, undefined)
        own(port, DISPATCH, (value: unknown) => {
          receive(value)
        })
      },
    },
  }
}

function own(port: MessagePort, name: symbol, value: unknown): void {
  Object.defineProperty(port, name, { value, writable: true, configurable: true, enumerable: false })
}

/**
 * A script may come upon the port as an object: Node hands it out as an active handle, or to asynchronous hooks. It can
 * do nothing with it then, other than close it.
 */
function guard(port: MessagePort): void {
  markAsUntransferable(port)
  const original: unknown = Reflect.get(MessagePort.prototype, 'postMessage')
  if (typeof original !== 'function') throw new TypeError('A port cannot post.')
  MessagePort.prototype.postMessage = function (this: MessagePort, ...args) {
    if (this === port) throw new Error('A script cannot post on the port of Patchbay.')
    Reflect.apply(original, this, args)
  }
  // In another context a port has its own, original methods.
  workerThreads.moveMessagePortToContext = () => {
    throw new Error('A script cannot move a port to another context.')
  }
  for (const name of ['connect', 'connectToMainThread'] as const) {
    inspector.Session.prototype[name] = () => {
      throw new Error('A script cannot open an inspector session.')
    }
  }
  syncBuiltinESMExports()
  const binding: unknown = Reflect.get(process, 'binding')
  if (typeof binding !== 'function') return
  Reflect.set(process, 'binding', (name: unknown) => {
    if (name === 'inspector') throw new Error('A script cannot open an inspector session.')
    return Reflect.apply(binding, process, [name]) as unknown
  })
}
