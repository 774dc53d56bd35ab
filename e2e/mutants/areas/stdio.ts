import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { TransportError } from '../../../server-core/ports/contract.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type ChangeMessage, type Mutant } from '../mutant.ts'

const errorCode = (message: Readonly<Record<string, unknown>>): unknown =>
  isJsonObject(message['error']) ? message['error']['code'] : undefined

/** Changes the code of the error of server/discover, so that the client mistakes it for another error. */
const discoverCode =
  (change: (code: unknown) => number | undefined): ChangeMessage =>
  (message, { answers }) => {
    const code = answers?.['method'] === 'server/discover' ? change(errorCode(message)) : undefined
    return code === undefined ? message : { ...message, error: { code, message: 'Not understood' } }
  }

const newestSubscription: ChangeMessage = (message, { connection }) => {
  const { params, method } = message
  const newest = connection.get('listen')
  if (method === 'notifications/subscriptions/acknowledged' || newest === undefined) return message
  if (!isJsonObject(params) || !isJsonObject(params['_meta'])) return message
  if (params['_meta'][MetaKey.subscriptionId] === undefined) return message
  return { ...message, params: { ...params, _meta: { [MetaKey.subscriptionId]: newest } } }
}

const SERVERS: readonly Mutant[] = [
  {
    id: 'm.stdio.server.stdout-pure',
    side: 'server',
    fault: {
      incoming: (message, { connection, reply }) => {
        if (message['method'] === 'tools/call' && !connection.has('called')) {
          connection.set('called', true)
          reply(Buffer.from('calling a tool'))
        }
        return message
      },
    },
  },
  {
    id: 'm.stdio.server.crlf-and-big',
    side: 'server',
    fault: {
      process: (played) => {
        const { stdin } = played
        // Each chunk is read as one message; a chunk that does not parse as one is dropped.
        const push = stdin.push.bind(stdin)
        stdin.push = (chunk: unknown, encoding?: BufferEncoding) => {
          if (!Buffer.isBuffer(chunk)) return push(chunk, encoding)
          const text = chunk.toString().trim()
          const isLost = text.startsWith('{') && !isJson(text)
          return isLost ? true : push(chunk, encoding)
        }
      },
    },
    alsoBreaks: {
      'base.encoding.chunk-split': 'a character that two pieces share is lost with them',
      'jsonrpc.parse-error.server': 'a message that breaks off is dropped as a piece',
    },
  },
  {
    id: 'm.stdio.server.newline-in-text',
    side: 'server',
    fault: {
      outgoingBytes: (bytes) => Buffer.from(bytes.toString().replaceAll(String.raw`\n`, '\n')),
    },
    alsoBreaks: { 'resources.server.bad-uri': 'a line break in the error breaks its line' },
  },
  {
    id: 'm.stdio.server.bad-line',
    side: 'server',
    fault: {
      incomingBytes: (bytes, { connection }) => {
        if (bytes.includes(0xff)) connection.set('ended', true)
        return bytes
      },
      incoming: (message, { connection }) => (connection.has('ended') ? undefined : message),
    },
  },
  {
    id: 'm.stdio.server.modern-no-requests',
    side: 'server',
    fault: {
      outgoing: (message, { answers, connection }) => {
        if (answers?.['method'] !== 'tools/call' || connection.has('asked')) return message
        connection.set('asked', true)
        const question = { jsonrpc: '2.0', id: 'question-1', method: 'elicitation/create', params: {} }
        return new Messages(question, message)
      },
    },
    transports: ['stdio', 'websocket'],
  },
]

const CLIENTS: readonly Mutant[] = [
  {
    id: 'm.stdio.client.stdin-pure',
    side: 'client',
    fault: {
      outgoingBytes: (bytes, message) =>
        isJsonObject(message) && message['method'] === 'prompts/list'
          ? Buffer.from(`${JSON.stringify(message, undefined, 2)}\n${bytes.toString()}`)
          : bytes,
    },
  },
  {
    id: 'm.stdio.client.stderr',
    side: 'client',
    fault: {
      connect: (options) => ({
        ...options,
        open: async () => {
          const transport = await options.open()
          const send = transport.send.bind(transport)
          transport.send = (message, how) =>
            transport.evidence().stderr === undefined
              ? send(message, how)
              : Promise.reject(new TransportError('pipe-closed', 'The server reported an error'))
          return transport
        },
      }),
    },
  },
  {
    id: 'm.stdio.client.garbage-stdout',
    side: 'client',
    fault: {
      incomingBytes: (bytes, { connection }) => {
        connection.set('thrown', true)
        return bytes
      },
      incoming: (message, { connection }) => (connection.has('thrown') ? undefined : message),
    },
  },
  {
    id: 'm.stdio.client.support',
    side: 'client',
    fault: {
      connect: (options) => ({
        ...options,
        open: () => {
          throw new TypeError('stdio is not supported')
        },
      }),
    },
    transports: ['stdio'],
  },
  {
    id: 'm.stdio.client.modern-no-responses',
    side: 'client',
    fault: {
      incoming: (message, { reply }) => {
        if (message['method'] === 'elicitation/create')
          reply({ jsonrpc: '2.0', id: message['id'], result: { action: 'decline' } })
        return message
      },
    },
  },
  {
    id: 'm.stdio.client.demultiplex',
    side: 'client',
    fault: {
      outgoing: (message, { connection }) => {
        if (message['method'] === 'subscriptions/listen') connection.set('listen', message['id'])
        return message
      },
      incoming: newestSubscription,
    },
  },
  {
    id: 'm.stdio.client.relisten',
    side: 'client',
    fault: {
      outgoing: (message, { peer, connection }) => {
        if (message['method'] !== 'subscriptions/listen') return message
        const owner = peer.get('listener') ?? connection
        peer.set('listener', owner)
        return owner === connection ? message : undefined
      },
    },
  },
  {
    id: 'm.stdio.client.probe',
    side: 'client',
    fault: {
      outgoing: (message) =>
        message['method'] === 'server/discover'
          ? new Messages({ ...message, id: 'early', method: 'tools/list' }, message)
          : message,
    },
  },
  {
    id: 'm.stdio.client.probe-version-error',
    side: 'client',
    fault: { incoming: discoverCode((code) => (code === -32022 ? -32601 : undefined)) },
  },
  {
    id: 'm.stdio.client.probe-fallback',
    side: 'client',
    fault: { incoming: discoverCode((code) => (code === -32602 || code === -32000 ? -32020 : undefined)) },
  },
]

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The mutants of the area `stdio`. */
export const STDIO_PROOF: AreaProof = { mutants: [...SERVERS, ...CLIENTS] }
