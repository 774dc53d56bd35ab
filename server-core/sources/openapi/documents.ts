import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { CompositionError } from '../composition-error.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Reads the text at a URI, `file:` or `http(s):`. */
export type ReadText = (uri: string) => Promise<string>

/** What a reference leads to. */
export type Found = {
  readonly value: unknown
  /** The document that it is in: what its own references start from. */
  readonly base: string
  /** The whole reference, which is the same for the same place. */
  readonly uri: string
}

/** References that lead to references. */
const MOST_STEPS = 32
/** What holds data and no references. */
const DATA = new Set(['example', 'examples', 'enum', 'const', 'default'])

/** A document and all that its references lead to, read once; a part that cannot be read fails where it is needed. */
export class Documents {
  readonly root: JsonObject
  readonly uri: string
  readonly #documents: ReadonlyMap<string, unknown>
  readonly #failures: ReadonlyMap<string, string>

  private constructor(
    uri: string,
    root: JsonObject,
    documents: ReadonlyMap<string, unknown>,
    failures: ReadonlyMap<string, string>,
  ) {
    this.uri = uri
    this.root = root
    this.#documents = documents
    this.#failures = failures
  }

  /** Rejects with a `CompositionError` (`document`) if the document itself cannot be read. */
  static async load(uri: string, readText: ReadText): Promise<Documents> {
    const root = await parseText(uri, await readText(uri))
    if (!isJsonObject(root)) throw new CompositionError('document', `${uri} holds no object`)
    const documents = new Map<string, unknown>([[uri, root]])
    const failures = new Map<string, string>()
    let waiting = externalReferences(root, uri)
    while (waiting.size > 0) {
      const next = [...waiting].filter((each) => !documents.has(each) && !failures.has(each))
      const loaded = await Promise.all(
        next.map(async (each, at) => {
          if (documents.size + at >= DEFAULT_LIMITS.openApiDocuments) {
            failures.set(
              each,
              `it is one document more than the ${DEFAULT_LIMITS.openApiDocuments} that are read`,
            )
            return new Set<string>()
          }
          try {
            const value = await parseText(each, await readText(each))
            documents.set(each, value)
            return externalReferences(value, each)
          } catch (error) {
            failures.set(each, messageOf(error))
            return new Set<string>()
          }
        }),
      )
      waiting = new Set(loaded.flatMap((each) => [...each]))
    }
    return new Documents(uri, root, documents, failures)
  }

  /** The URIs of all documents that were read, or should have been. */
  get uris(): readonly string[] {
    return [...this.#documents.keys(), ...this.#failures.keys()]
  }

  /** What a reference leads to, in one step. Throws a `CompositionError` (`document`) that says where it breaks off. */
  follow(reference: string, base: string): Found {
    const target = URL.parse(reference, base)
    if (target === null) throw broken(reference, 'it is not a URI reference')
    const fragment = target.hash
    target.hash = ''
    const failure = this.#failures.get(target.href)
    if (failure !== undefined) throw broken(reference, failure)
    if (!this.#documents.has(target.href)) throw broken(reference, `${target.href} was not read`)
    const value = pointedAt(this.#documents.get(target.href), fragment, reference)
    return { value, base: target.href, uri: `${target.href}${fragment}` }
  }

  /** The value itself, or what its references lead to in the end. Throws like `follow`. */
  resolve(value: unknown, base: string): Found {
    let found: Found = { value, base, uri: '' }
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (!isJsonObject(found.value) || typeof found.value['$ref'] !== 'string') return found
      found = this.follow(found.value['$ref'], found.base)
    }
    throw broken(found.uri, `it leads on for more than ${MOST_STEPS} references`)
  }
}

/** JSON or YAML. Rejects with a `CompositionError` (`document`) that says where it cannot be read. */
async function parseText(uri: string, text: string): Promise<unknown> {
  const plain = text.replace(/^\uFEFF/, '')
  try {
    if (/^\s*[{[]/.test(plain)) return JSON.parse(plain)
  } catch (error) {
    // YAML may begin with a brace as well.
    if (/\.json$/i.test(new URL(uri).pathname)) throw unreadable(uri, error)
  }
  try {
    const { parse } = await import('yaml')
    return parse(plain, { merge: true, prettyErrors: true })
  } catch (error) {
    throw unreadable(uri, error)
  }
}

function unreadable(uri: string, error: unknown): CompositionError {
  const reason = messageOf(error)
  return new CompositionError('document', `${uri} is neither JSON nor YAML: ${reason}`, { cause: error })
}

/** The documents beside its own that a document's references lead to. */
function externalReferences(value: unknown, base: string): Set<string> {
  const found = new Set<string>()
  const waiting: unknown[] = [value]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (Array.isArray(each)) waiting.push(...(each as unknown[]))
    if (!isJsonObject(each)) continue
    for (const [key, member] of Object.entries(each)) {
      if (key === '$ref' && typeof member === 'string') {
        const target = URL.parse(member, base)
        if (target === null) continue
        target.hash = ''
        if (target.href !== base) found.add(target.href)
      } else if (!DATA.has(key) && typeof member === 'object' && member !== null) waiting.push(member)
    }
  }
  return found
}

/** A JSON Pointer in a fragment (RFC 6901, section 6), or the name of an anchor. */
function pointedAt(document: unknown, fragment: string, reference: string): unknown {
  let text: string
  try {
    text = decodeURIComponent(fragment.slice(1))
  } catch {
    throw broken(reference, 'its fragment is not percent-encoded as it should be')
  }
  if (text === '') return document
  if (!text.startsWith('/')) {
    const anchored = anchor(document, text)
    if (anchored === undefined) throw broken(reference, `there is no anchor "${text}"`)
    return anchored
  }
  let at = document
  for (const part of text.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const next: unknown = Array.isArray(at)
      ? at[Number(key)]
      : isJsonObject(at) && Object.hasOwn(at, key)
        ? at[key]
        : undefined
    if (next === undefined) throw broken(reference, `there is no "${key}"`)
    at = next
  }
  return at
}

function anchor(document: unknown, name: string): unknown {
  const waiting: unknown[] = [document]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (isJsonObject(each) && each['$anchor'] === name) return each
    if (typeof each === 'object' && each !== null) {
      for (const member of Object.values(each))
        if (typeof member === 'object') waiting.push(member ?? undefined)
    }
  }
  return undefined
}

function broken(reference: string, reason: string): CompositionError {
  return new CompositionError('document', `the reference "${reference}" leads nowhere: ${reason}`)
}
