import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { Registry } from '../../../server-core/registry/registry.ts'
import { Messages, type ChangeMessage, type Fault } from '../mutant.ts'
import { paramsOf } from './changes-message.ts'

const TOOL = 'test_end_listens'

/** Adds a tool that is said to end the listens of its client. */
function addTool(registry: Registry): void {
  registry.addTool({
    name: TOOL,
    description: 'Ends the listens of its client.',
    annotations: { readOnlyHint: true },
    run: () => 'ended',
  })
}

const remembered: ChangeMessage = (message, { connection }) => {
  if (message['method'] === 'subscriptions/listen') connection.set('ended-listen', message['id'])
  const listen = connection.get('ended-listen')
  if (message['method'] !== 'tools/call' || paramsOf(message)['name'] !== TOOL || listen === undefined)
    return message
  const params = { ...paramsOf(message), requestId: listen }
  return new Messages({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, message)
}

/** Ends a listen when the tool is called: the server drops it, and nothing says so. */
export const droppedListens: Fault = { registry: addTool, incoming: remembered }

/** Ends a listen when the tool is called, by its cancellation and its result. */
export const endedListens: Fault = {
  registry: addTool,
  incoming: remembered,
  outgoing: (message, { connection, answers }) => {
    const listen = connection.get('ended-listen')
    if (paramsOf(answers)['name'] !== TOOL || listen === undefined) return message
    connection.delete('ended-listen')
    const meta = { _meta: { [MetaKey.subscriptionId]: listen } }
    return new Messages(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: listen } },
      { jsonrpc: '2.0', id: listen, result: { resultType: 'complete', ...meta } },
      message,
    )
  },
}
