// Put into every Node process of a test by NODE_OPTIONS: writes down, before it happens, each attempt to reach or to
// wait for anybody, so that a connection too short to be seen from outside is seen all the same.
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import net from 'node:net'
import process from 'node:process'

const file = process.env.PATCHBAY_SOCKET_WITNESS
const write = (what, target) =>
  appendFileSync(file, `${JSON.stringify({ pid: process.pid, what, target })}\n`)

/** The place that arguments of connect or listen name: a host with a port, or a path. */
const targetOf = (args) => {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) return first.path ?? first.host ?? 'localhost'
  if (typeof first === 'string' && !/^\d+$/.test(first)) return first
  return typeof second === 'string' ? second : 'localhost'
}

const watch = (owner, name, what, describe = targetOf) => {
  const original = owner[name]
  owner[name] = function watched(...args) {
    write(what, String(describe(args)))
    return original.apply(this, args)
  }
}

watch(net.Socket.prototype, 'connect', 'connect')
watch(net.Server.prototype, 'listen', 'listen', (args) =>
  typeof args[0] === 'object' || typeof args[0] === 'string' || typeof args[1] === 'string'
    ? targetOf(args)
    : '0.0.0.0',
)
watch(
  dgram.Socket.prototype,
  'send',
  'send',
  (args) => args.find((one) => typeof one === 'string') ?? 'localhost',
)
watch(dns, 'lookup', 'look up', ([name]) => name)
