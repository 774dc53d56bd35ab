import type { Span } from '../wire/shape.ts'

/** `error` breaks a MUST, `warning` a SHOULD or what peers rely on, `notice` is worth knowing. */
export type Severity = 'error' | 'warning' | 'notice'

/** A rule of the specification that one message can break. */
export type Rule = Span & {
  readonly severity: Severity
  /** What is asked for, as a sentence. */
  readonly sentence: string
  /** Where the specification says so. */
  readonly section: string
}

const FORMS = { since: '2025-06-18' } as const
const URLS = { since: '2025-11-25' } as const
const MODERN = { since: '2026-07-28' } as const
const LEGACY = { until: '2025-11-25' } as const

const rules = {
  'json-text': {
    severity: 'error',
    sentence: 'A message is one JSON text in UTF-8, within the limits of size and depth.',
    section: 'Base Protocol: Messages',
  },
  'line-break': {
    severity: 'error',
    sentence: 'A message on stdio has no line break inside.',
    section: 'Transports: stdio',
  },
  'duplicate-key': {
    severity: 'warning',
    sentence: 'An object has each key once; readers differ in which one they take.',
    section: 'RFC 8259, section 4',
  },
  'text-character': {
    severity: 'warning',
    sentence:
      'Texts hold neither the character NUL nor halves of surrogate pairs, which many readers cannot keep.',
    section: 'RFC 8259, section 8.2',
  },
  'inexact-number': {
    severity: 'warning',
    sentence: 'A number is one that a double can hold; others change on the way.',
    section: 'RFC 8259, section 6',
  },
  'message-kind': {
    severity: 'error',
    sentence: 'A message is an object with a method, a result or an error.',
    section: 'Base Protocol: Messages',
  },
  'json-rpc-version': {
    severity: 'error',
    sentence: 'The member jsonrpc is "2.0".',
    section: 'Base Protocol: Messages',
  },
  'request-id': {
    severity: 'error',
    sentence: 'An id is a string or an integer within ±(2^53−1), never null.',
    section: 'Base Protocol: Requests',
  },
  'notification-id': {
    severity: 'error',
    sentence: 'A notification has no id and is never answered.',
    section: 'Base Protocol: Notifications',
  },
  'result-or-error': {
    severity: 'error',
    sentence: 'A response has either a result or an error.',
    section: 'Base Protocol: Responses',
  },
  params: {
    severity: 'error',
    sentence: 'The member params, where it is there, is an object.',
    section: 'Base Protocol: Requests',
  },
  batch: {
    severity: 'error',
    sentence: 'Several messages in one array are read in 2025-03-26 only.',
    section: 'Base Protocol: Batching',
  },
  'batch-content': {
    severity: 'error',
    sentence:
      'A batch is not empty, holds no initialize, and either responses or requests and notifications.',
    section: 'Base Protocol: Batching',
  },
  'unknown-method': {
    severity: 'error',
    sentence: 'The revision, or an extension that both sides declared, knows the method.',
    section: 'Schema Reference',
  },
  direction: {
    severity: 'error',
    sentence: 'A method is sent by the side that may send it; in 2026-07-28 servers send no requests.',
    section: 'Base Protocol: Messages',
  },
  'client-response': {
    ...MODERN,
    severity: 'error',
    sentence: 'Clients send no responses.',
    section: 'Base Protocol: Responses',
  },
  shape: {
    severity: 'error',
    sentence: 'Required fields are there, and fields have the type the revision gives them.',
    section: 'Schema Reference',
  },
  'other-revision': {
    severity: 'warning',
    sentence: 'Fields, blocks and modes are those of the revision that is spoken; others are not understood.',
    section: 'Schema Reference',
  },
  'field-name': {
    severity: 'warning',
    sentence: 'Names of fields are written as the specification writes them, in upper and lower case.',
    section: 'Schema Reference',
  },
  'meta-key': {
    severity: 'error',
    sentence: 'A key of _meta is a name, after a prefix of dot-joined labels and a slash if it has one.',
    section: 'Base Protocol: _meta',
  },
  'meta-reserved': {
    ...FORMS,
    severity: 'warning',
    sentence:
      'Prefixes of _meta keys with the label modelcontextprotocol or mcp are left to the specification.',
    section: 'Base Protocol: _meta',
  },
  'trace-context': {
    ...MODERN,
    severity: 'warning',
    sentence: 'traceparent, tracestate and baggage in _meta have the formats of W3C.',
    section: 'Base Protocol: _meta',
  },
  'request-envelope': {
    ...MODERN,
    severity: 'error',
    sentence: 'The _meta of every request names the protocol version and the capabilities of the client.',
    section: 'Base Protocol: Per-request metadata',
  },
  'client-info': {
    ...MODERN,
    severity: 'warning',
    sentence: 'The _meta of a request should say who the client is.',
    section: 'Base Protocol: Per-request metadata',
  },
  'server-info': {
    ...MODERN,
    severity: 'warning',
    sentence: 'The _meta of a result should say who the server is.',
    section: 'Base Protocol: Per-request metadata',
  },
  'version-claim': {
    ...MODERN,
    severity: 'error',
    sentence: 'The version that a request claims is one without a handshake, and the one it is read by.',
    section: 'Versioning: Protocol version',
  },
  'handshake-version': {
    ...LEGACY,
    severity: 'error',
    sentence: 'initialize agrees on a revision that opens with a handshake.',
    section: 'Lifecycle: Version negotiation',
  },
  'result-type': {
    ...MODERN,
    severity: 'error',
    sentence: 'Every result has a resultType.',
    section: 'Base Protocol: Result types',
  },
  'unknown-result-type': {
    ...MODERN,
    severity: 'error',
    sentence: 'A resultType is complete, input_required or one of an extension that was declared.',
    section: 'Base Protocol: Result types',
  },
  'cache-hints': {
    ...MODERN,
    severity: 'error',
    sentence:
      'Results of discovery, of lists and of resources/read have ttlMs, from 0, and cacheScope; no others have.',
    section: 'Utilities: Caching',
  },
  'input-required': {
    ...MODERN,
    severity: 'error',
    sentence:
      'Only tools/call, prompts/get and resources/read are answered with input_required, and it asks or carries state.',
    section: 'Multi Round-Trip Requests',
  },
  'input-responses': {
    ...MODERN,
    severity: 'error',
    sentence: 'Only tools/call, prompts/get and resources/read carry inputResponses and requestState.',
    section: 'Multi Round-Trip Requests',
  },
  'subscription-id': {
    ...MODERN,
    severity: 'error',
    sentence: 'What a subscription delivers carries the id of the request that opened it.',
    section: 'Subscriptions',
  },
  'error-code': {
    severity: 'error',
    sentence: 'Codes that JSON-RPC and MCP reserve are used only with the meaning the revision gives them.',
    section: 'Base Protocol: Error codes',
  },
  'error-data': {
    severity: 'error',
    sentence: 'An error of MCP carries the data that belongs to its code.',
    section: 'Base Protocol: Error codes',
  },
  'error-id': {
    severity: 'warning',
    sentence:
      'An error has the id of its request; where that could not be read it is left out since 2025-11-25.',
    section: 'Base Protocol: Responses',
  },
  'missing-resource': {
    severity: 'warning',
    sentence: 'A missing resource is reported by an error, never by empty contents.',
    section: 'Resources: Error handling',
  },
  'next-cursor': {
    severity: 'error',
    sentence: 'A last page has no nextCursor; any text, the empty one too, leads to another page.',
    section: 'Utilities: Pagination',
  },
  'completion-limit': {
    severity: 'error',
    sentence: 'A completion has at most 100 values.',
    section: 'Utilities: Completion',
  },
  'structured-content': {
    ...FORMS,
    severity: 'error',
    sentence: 'Structured content is an object in 2025-06-18 and 2025-11-25.',
    section: 'Tools: Structured content',
  },
  'structured-text': {
    ...FORMS,
    severity: 'warning',
    sentence: 'A result with structured content should hold the same as text.',
    section: 'Tools: Structured content',
  },
  'tool-name': {
    ...URLS,
    severity: 'warning',
    sentence: 'The name of a tool should have 1 to 128 characters of A-Z, a-z, 0-9, "_", "-" and ".".',
    section: 'Tools: Tool names',
  },
  'listed-twice': {
    severity: 'warning',
    sentence: 'A list names each tool, prompt, resource and template once.',
    section: 'Tools: Data types',
  },
  'schema-dialect': {
    ...URLS,
    severity: 'warning',
    sentence: 'The schema of a tool is of the dialect 2020-12, or of one that peers may be expected to know.',
    section: 'Base Protocol: JSON Schema usage',
  },
  'schema-reference': {
    severity: 'warning',
    sentence: 'The schema of a tool refers to nothing that would have to be fetched.',
    section: 'Base Protocol: JSON Schema usage',
  },
  'parameter-header': {
    ...MODERN,
    severity: 'error',
    sentence:
      'x-mcp-header names a header of its own for a string, integer or boolean reached through properties.',
    section: 'Streamable HTTP: Custom headers',
  },
  'icon-source': {
    ...URLS,
    severity: 'error',
    sentence: 'The source of an icon is an https or a data URL.',
    section: 'Base Protocol: Icons',
  },
  uri: {
    severity: 'warning',
    sentence: 'A URI is absolute and well-formed; a template has every brace closed.',
    section: 'Resources: Data types',
  },
  base64: {
    severity: 'error',
    sentence: 'Binary data is standard base64 with padding.',
    section: 'Resources: Contents',
  },
  timestamp: {
    severity: 'warning',
    sentence: 'Times are written by ISO 8601.',
    section: 'Resources: Annotations',
  },
  'root-uri': {
    severity: 'error',
    sentence: 'A root is a file:// URI.',
    section: 'Roots: Data types',
  },
  'client-capability': {
    severity: 'error',
    sentence: 'A server asks a client only for what the client declared.',
    section: 'Lifecycle: Capability negotiation',
  },
  'tool-results': {
    ...URLS,
    severity: 'error',
    sentence: 'The next message answers every tool_use, and holds nothing beside tool_result blocks.',
    section: 'Sampling: Tool use and result balance',
  },
  'sampling-context': {
    ...URLS,
    severity: 'warning',
    sentence: 'includeContext other than "none" is deprecated.',
    section: 'Sampling: Capabilities',
  },
  'form-fields': {
    ...FORMS,
    severity: 'error',
    sentence:
      'A form is flat: each field a text, a number, a boolean or a choice; required names fields of it.',
    section: 'Elicitation: Requested schema',
  },
  'form-secret': {
    ...FORMS,
    severity: 'warning',
    sentence: 'A form does not ask for passwords, keys or other secrets.',
    section: 'Elicitation: Security considerations',
  },
  'form-names': {
    ...FORMS,
    severity: 'warning',
    sentence: 'enumNames has a name for each value, and is deprecated since 2025-11-25.',
    section: 'Elicitation: Requested schema',
  },
  'elicitation-url': {
    ...URLS,
    severity: 'error',
    sentence:
      'The URL that a user is asked to visit is a web page, over https unless local, with no credentials in it.',
    section: 'Elicitation: URL mode',
  },
  'elicitation-answer': {
    ...FORMS,
    severity: 'warning',
    sentence: 'Only an accepted form has content.',
    section: 'Elicitation: Response actions',
  },
  'progress-total': {
    severity: 'warning',
    sentence: 'Progress is finite, from 0, and does not pass its total.',
    section: 'Utilities: Progress',
  },
  'related-task': {
    since: '2025-11-25',
    until: '2025-11-25',
    severity: 'error',
    sentence: 'The answer to tasks/result names its task in _meta.',
    section: 'Utilities: Tasks',
  },
  deprecated: {
    ...MODERN,
    severity: 'notice',
    sentence: 'Roots, sampling and logging are deprecated.',
    section: 'Deprecated Features',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleId = keyof typeof rules

/** Every rule, by its id. */
export const RULES: Readonly<Record<RuleId, Rule>> = rules
