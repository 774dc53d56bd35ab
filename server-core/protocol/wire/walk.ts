import { isJsonObject, type JsonObject } from '../json.ts'
import type { Revision } from '../revisions.ts'
import { shapeOf } from './definitions.ts'
import { shapeFault } from './fault.ts'
import type { Path } from './path.ts'
import { covers, inRevision, listOf, type Fields, type Shape, type Span, type TextFormat } from './shape.ts'

/** What is found on the way through a message; each is called with the path to what it is about. */
export type WireVisitor = {
  /** A value that stands where a definition is expected; it need not fit. */
  readonly definition: (name: string, value: unknown, path: Path) => void
  /** A text of which the specification says what it is. */
  readonly text: (format: TextFormat, value: string, path: Path) => void
  /** A field, or a block by its tag, that other revisions know and this one does not. */
  readonly stray: (name: string, spans: readonly Span[], path: Path) => void
  /** A field that no revision knows, among those that this revision does. */
  readonly unknown: (name: string, known: readonly string[], path: Path) => void
  readonly meta: (value: unknown, path: Path) => void
}

/**
 * Walks through a value along the definition it should fit, as far as it does. Never throws; what does not fit is left
 * to the schemas.
 */
export function walkWire(
  revision: Revision,
  definition: string,
  value: unknown,
  path: Path,
  visitor: WireVisitor,
): void {
  new Walk(revision, visitor).along({ type: 'named', name: definition }, value, path)
}

class Walk {
  readonly #revision: Revision
  readonly #visitor: WireVisitor

  constructor(revision: Revision, visitor: WireVisitor) {
    this.#revision = revision
    this.#visitor = visitor
  }

  along(shape: Shape, value: unknown, path: Path): void {
    switch (shape.type) {
      case 'named': {
        this.#visitor.definition(shape.name, value, path)
        const definition = shapeOf(shape.name, this.#revision)
        if (definition !== undefined) this.along(definition, value, path)
        break
      }
      case 'string':
        if (shape.format !== undefined && typeof value === 'string') {
          this.#visitor.text(shape.format, value, path)
        }
        break
      case 'list':
        if (Array.isArray(value)) {
          for (const [index, item] of value.entries()) this.along(shape.of, item, [...path, index])
        }
        break
      case 'map':
        if (isJsonObject(value)) {
          for (const [key, member] of Object.entries(value)) this.along(shape.of, member, [...path, key])
        }
        break
      case 'object':
        if (isJsonObject(value)) this.#object(shape.fields, value, path)
        break
      case 'union':
        this.#union(shape, value, path)
        break
      default:
    }
  }

  #object(fields: Fields, value: JsonObject, path: Path): void {
    for (const [key, member] of Object.entries(value)) {
      const at = [...path, key]
      if (key === '_meta') this.#visitor.meta(member, at)
      const entries = Object.hasOwn(fields, key) ? fields[key] : undefined
      const field = entries && inRevision(entries, this.#revision)
      if (field !== undefined) this.along(field.shape, member, at)
      else if (entries !== undefined) this.#visitor.stray(key, listOf(entries), at)
      else if (Object.keys(fields).length > 0) this.#visitor.unknown(key, this.#namesOf(fields), at)
    }
  }

  #namesOf(fields: Fields): readonly string[] {
    return Object.keys(fields).filter((name) => {
      const entries = fields[name]
      return entries !== undefined && inRevision(entries, this.#revision) !== undefined
    })
  }

  #union(shape: Shape & { type: 'union' }, value: unknown, path: Path): void {
    const { of, by } = shape
    const usable = of.filter((variant) => covers(variant, this.#revision))
    if (by !== undefined && isJsonObject(value)) {
      const tag = value[by]
      const mine = usable.find((variant) => this.#isTagged(variant.shape, by, tag, this.#revision))
      if (mine !== undefined) {
        this.along(mine.shape, value, path)
        return
      }
      const others = of.filter(
        (variant) => variant.since !== undefined && this.#isTagged(variant.shape, by, tag, variant.since),
      )
      if (others.length > 0) this.#visitor.stray(String(tag), others, [...path, by])
      return
    }
    const possible = usable.filter((variant) => this.#mayBe(variant.shape, value))
    const [first] = possible
    if (first === undefined) return
    const fitting =
      possible.length === 1 ? first : possible.find(({ shape: each }) => this.#fits(each, value))
    this.along((fitting ?? first).shape, value, path)
  }

  #isTagged(shape: Shape, by: string, tag: unknown, revision: Revision): boolean {
    const resolved = shape.type === 'named' ? shapeOf(shape.name, revision) : shape
    const entries = resolved?.type === 'object' ? resolved.fields[by] : undefined
    const field = entries && inRevision(entries, revision)
    return field?.shape.type === 'choice' && field.shape.values.some((value) => value === tag)
  }

  /** Returns, without looking deeper, whether a value looks like a shape: its kind, its required fields and choices. */
  #mayBe(shape: Shape, value: unknown): boolean {
    switch (shape.type) {
      case 'named': {
        const definition = shapeOf(shape.name, this.#revision)
        return definition !== undefined && this.#mayBe(definition, value)
      }
      case 'list':
        return Array.isArray(value)
      case 'map':
        return isJsonObject(value)
      case 'object':
        return isJsonObject(value) && this.#hasRequired(shape.fields, value)
      case 'union':
        return shape.of.some(
          (variant) => covers(variant, this.#revision) && this.#mayBe(variant.shape, value),
        )
      case 'choice':
        return shape.values.some((choice) => choice === value)
      case 'string':
        return typeof value === 'string'
      default:
        return false
    }
  }

  #fits(shape: Shape, value: unknown): boolean {
    return shapeFault(this.#revision, shape, value) === undefined
  }

  #hasRequired(fields: Fields, value: JsonObject): boolean {
    return Object.entries(fields).every(([name, entries]) => {
      const field = inRevision(entries, this.#revision)
      if (field === undefined) return true
      if (!Object.hasOwn(value, name)) return !field.required
      return field.shape.type !== 'choice' || this.#mayBe(field.shape, value[name])
    })
  }
}
