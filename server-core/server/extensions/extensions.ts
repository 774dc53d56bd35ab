import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { REVISIONS, type Era } from '../../protocol/revisions.ts'
import type {
  CallInterceptor,
  Extension,
  ExtensionMethod,
  ExtensionNotice,
  ListenFilter,
} from './extension.ts'
import { declaredSettings, ServedRequest, type RequestFacts } from './served-request.ts'

const ID = /^[a-zA-Z](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?\/[a-zA-Z0-9](?:[\w.-]*[a-zA-Z0-9])?$/
const CORE_RESULT_TYPES = new Set(['complete', 'input_required'])
const CORE_META: ReadonlySet<string> = new Set(Object.values(MetaKey))
const CORE_FILTERS = new Set([
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
  'resourceSubscriptions',
])

/** Something that an extension brings. */
export type Claimed<T> = { readonly extension: Extension; readonly value: T }

/** The extensions of one server: who serves what, and what is declared. */
export class Extensions {
  readonly all: readonly Extension[]
  /** What may take calls over; `serves` tells in which era. */
  readonly interceptors: readonly Claimed<CallInterceptor>[]
  readonly #methods = new Map<string, Claimed<ExtensionMethod>>()
  readonly #notices = new Map<string, Claimed<(notice: ExtensionNotice) => void>>()
  readonly #filters = new Map<string, Claimed<ListenFilter>>()
  readonly #marked: readonly Extension[]

  /** Throws a `RangeError` for an invalid id, and if something is claimed twice or belongs to the core. */
  constructor(extensions: readonly Extension[]) {
    this.all = extensions
    this.#marked = extensions.filter(({ resultMeta }) => resultMeta !== undefined)
    this.interceptors = extensions.flatMap((extension) =>
      extension.calls === undefined ? [] : [{ extension, value: extension.calls }],
    )
    const owners = new Map<string, string>()
    for (const extension of extensions) {
      const {
        id,
        methods = {},
        notifications = {},
        resultTypes = [],
        resultMeta = {},
        listen = {},
      } = extension
      if (!ID.test(id)) {
        throw new RangeError(
          `"${id}" is not an id of an extension; expected "prefix/name", as "com.example/thing"`,
        )
      }
      claim(owners, extension, [
        `the id ${id}`,
        ...Object.keys(methods).map((method) => `the method ${method}`),
        ...Object.keys(notifications).map((method) => `the notification ${method}`),
        ...resultTypes.map((value) => `the resultType ${value}`),
        ...Object.keys(resultMeta).map((key) => `the _meta key ${key}`),
        ...Object.keys(listen).map((member) => `the filter ${member}`),
      ])
      for (const [method, value] of Object.entries(methods)) this.#methods.set(method, { extension, value })
      for (const [member, value] of Object.entries(listen)) this.#filters.set(member, { extension, value })
      for (const [method, value] of Object.entries(notifications)) {
        if (value !== 'sent') this.#notices.set(method, { extension, value })
      }
    }
  }

  /** What is declared in an era: `capabilities.extensions`; undefined if there is nothing. */
  declared(era: Era): JsonObject | undefined {
    const declared: Record<string, JsonObject> = {}
    for (const extension of this.all) {
      const settings = settingsOf(extension, era)
      if (settings !== undefined) declared[extension.id] = settings
    }
    return Object.keys(declared).length === 0 ? undefined : declared
  }

  /** The method, if an extension serves it in that era. */
  method(method: string, era: Era): Claimed<ExtensionMethod> | undefined {
    return inEra(this.#methods.get(method), era)
  }

  filter(member: string, era: Era): Claimed<ListenFilter> | undefined {
    return inEra(this.#filters.get(member), era)
  }

  /** Hands a client's notification to its extension; false if none takes it. */
  notice(method: string, era: Era, notice: ExtensionNotice): boolean {
    const claimed = inEra(this.#notices.get(method), era)
    if (claimed === undefined) return false
    claimed.value(notice)
    return true
  }

  /** Members that extensions add to the `_meta` of a result; undefined if there are none. */
  resultMeta(facts: RequestFacts, era: Era): JsonObject | undefined {
    let added: Record<string, unknown> | undefined
    for (const extension of this.#marked) {
      if (settingsOf(extension, era) === undefined) continue
      const request = servedBy(extension, facts)
      if (request.settings === undefined) continue
      for (const [key, value] of Object.entries(extension.resultMeta ?? {})) {
        const given = value(request)
        if (given !== undefined) (added ??= {})[key] = given
      }
    }
    return added
  }

  get marksResults(): boolean {
    return this.#marked.length > 0
  }

  close(): void {
    for (const extension of this.all) extension.close?.()
  }
}

/** Whether an extension is served in an era just now. */
export function serves(extension: Extension, era: Era): boolean {
  return settingsOf(extension, era) !== undefined
}

/** A request as that extension sees it. */
export function servedBy(extension: Extension, facts: RequestFacts): ServedRequest {
  const { id, notifications = {} } = extension
  return new ServedRequest(facts, id, (method) => notifications[method] === 'sent')
}

/** The error for a client that needs an extension and does not declare it (2026-07-28, Extensions). */
export function missingExtension({ id }: Extension, what: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.missingClientCapability,
    `${what} needs the extension ${id}; declare it in clientCapabilities.extensions of this request`,
    { requiredCapabilities: { extensions: { [id]: {} } } },
  )
}

/** Whether a client declares an extension. */
export function declares(clientCapabilities: JsonObject, { id }: Extension): boolean {
  return declaredSettings(clientCapabilities, id) !== undefined
}

/** A result that an extension gave. Throws a `TypeError` if it has a `resultType` that the extension does not name. */
export function checkedResult({ id, resultTypes = [] }: Extension, result: JsonObject): JsonObject {
  const type = result['resultType']
  if (type === undefined || type === 'complete') return result
  if (typeof type === 'string' && resultTypes.includes(type)) return result
  throw new TypeError(
    `the extension ${id} gave the resultType ${JSON.stringify(type)}, which it does not name`,
  )
}

function settingsOf({ settings = {}, eras }: Extension, era: Era): JsonObject | undefined {
  if (eras !== undefined && !eras.includes(era)) return undefined
  return typeof settings === 'function' ? settings() : settings
}

function inEra<T>(claimed: Claimed<T> | undefined, era: Era): Claimed<T> | undefined {
  return claimed !== undefined && settingsOf(claimed.extension, era) !== undefined ? claimed : undefined
}

function claim(owners: Map<string, string>, { id, eras }: Extension, claims: readonly string[]): void {
  for (const what of claims) {
    const owner = owners.get(what) ?? (isCore(what, eras) ? 'the protocol itself' : undefined)
    if (owner !== undefined) throw new RangeError(`the extension ${id} claims ${what}, which ${owner} has`)
    owners.set(what, `the extension ${id}`)
  }
}

/** What the protocol has in the eras of an extension is not the extension's to claim. */
function isCore(what: string, eras: readonly Era[] | undefined): boolean {
  const [, kind, name = ''] = /^the (method|notification|_meta key|resultType|filter) (.+)$/.exec(what) ?? []
  const rows = REVISIONS.filter(({ era }) => eras?.includes(era) ?? true)
  switch (kind) {
    case 'method':
      return rows.some(({ requests }) => Object.hasOwn(requests, name))
    case 'notification':
      return rows.some(({ notifications }) => Object.hasOwn(notifications, name))
    case '_meta key':
      return CORE_META.has(name)
    case 'resultType':
      return CORE_RESULT_TYPES.has(name)
    default:
      return kind === 'filter' && CORE_FILTERS.has(name)
  }
}
