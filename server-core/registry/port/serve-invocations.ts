import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { Lifecycle, RegistryView } from '../entries.ts'
import type { Invocation } from '../invocation.ts'
import { parseCallerMessage } from './caller-message.ts'
import { definitionsOf } from './definitions-of.ts'
import type { MessageEndpoint } from './message-endpoint.ts'
import type { CallerMessage, HandlerMessage, HandlerRequest, Target } from './messages.ts'
import { postJson } from './post-json.ts'
import { decodeError, encodeError } from './remote-error.ts'
import { RemoteInvocation } from './remote-invocation.ts'

/**
 * Serves a registry to the other end of a channel, where `portRegistry` makes a view of it: sends what is
 * registered and every change, runs the handlers that are called. When the channel closes, running handlers are
 * aborted and what they share is cleaned up. Gives the promise of that: it resolves when the clean-up is over, and
 * rejects with what that throws.
 */
export function serveInvocations(
  end: MessageEndpoint,
  registry: RegistryView & Partial<Lifecycle>,
): { readonly over: Promise<void> } {
  const running = new Map<number, RemoteInvocation>()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let requests = 0

  const send = (call: number, request: HandlerRequest): Promise<unknown> => {
    const id = (requests += 1)
    const reply = Promise.withResolvers<unknown>()
    waiting.set(id, reply)
    try {
      end.post({ type: 'request', call, id, request } satisfies HandlerMessage)
    } catch (error) {
      waiting.delete(id)
      reply.reject(new TypeError(`The value cannot be copied: ${String(error)}`, { cause: error }))
    }
    return reply.promise
  }

  const run = async (call: number, target: Target, invocation: RemoteInvocation) => {
    running.set(call, invocation)
    try {
      postJson(end, { type: 'done', call, outcome: await invoke(registry, target, invocation) })
    } catch (error) {
      postJson(end, { type: 'error', call, error: encodeError(error) })
    } finally {
      running.delete(call)
    }
  }

  const stop = async () => {
    end.post({ type: 'stopping' } satisfies HandlerMessage)
    try {
      await registry.stop?.()
      end.post({ type: 'stopped' } satisfies HandlerMessage)
    } catch (error) {
      end.post({ type: 'stopped', error: encodeError(error) } satisfies HandlerMessage)
    }
  }

  const receive = (message: CallerMessage) => {
    switch (message.type) {
      case 'call':
        void run(message.call, message.target, new RemoteInvocation(message.call, message.facts, end, send))
        return
      case 'abort':
        running.get(message.call)?.abort(message.reason)
        end.post({ type: 'aborted', call: message.call } satisfies HandlerMessage)
        return
      case 'reply':
        waiting.get(message.id)?.resolve(message.value)
        waiting.delete(message.id)
        return
      case 'failed':
        waiting.get(message.id)?.reject(decodeError(message.error))
        waiting.delete(message.id)
        return
      case 'stop':
        void stop()
    }
  }

  const sendDefinitions = () => {
    end.post({ type: 'definitions', definitions: definitionsOf(registry) } satisfies HandlerMessage)
  }
  const stopListening = registry.onChange((change) => {
    if (change.type === 'list') sendDefinitions()
    else end.post({ type: 'updated', uri: change.uri } satisfies HandlerMessage)
  })
  end.onMessage((message) => {
    receive(parseCallerMessage(message))
  })
  const over = end.closed.then(async (reason) => {
    stopListening()
    const gone = encodeError(new Error(`The caller ${reason}.`))
    for (const invocation of running.values()) invocation.abort(gone)
    for (const reply of waiting.values()) reply.reject(decodeError(gone))
    await registry.stop?.()
  })
  // Who does not look at it need not fear it.
  over.catch(() => undefined)
  sendDefinitions()
  return { over }
}

async function invoke(registry: RegistryView, target: Target, invocation: Invocation): Promise<unknown> {
  switch (target.op) {
    case 'tool':
      return found(registry.tool(target.name), target.name).invoke(target.args, invocation)
    case 'resource':
      return found(registry.resourceFor(target.uri), target.uri).read(invocation)
    case 'template': {
      const { uri, variables } = target
      return found(templateOf(registry, target.uriTemplate), uri).read(uri, variables, invocation)
    }
    case 'list':
      return templateOf(registry, target.uriTemplate)?.list?.(invocation) ?? []
    case 'prompt':
      return found(registry.prompt(target.name), target.name).get(target.args, invocation)
    case 'complete':
      return registry.complete(target.ref, target.argument, target.context, invocation)
  }
}

function templateOf(registry: RegistryView, uriTemplate: string) {
  return registry.resourceTemplates().find((template) => template.uriTemplate === uriTemplate)
}

function found<Entry>(entry: Entry | undefined, name: string): Entry {
  if (entry === undefined) throw new ProtocolError(ErrorCode.invalidParams, `"${name}" was removed just now.`)
  return entry
}
