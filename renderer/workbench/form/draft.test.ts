import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExact, stringifyExact } from '../../../server-core/protocol/exact-json.ts'
import { describeSchema } from './describe-schema.ts'
import {
  addItem,
  addPair,
  changeAt,
  choose,
  chooseVariant,
  include,
  includeWithItem,
  leaveOut,
  moveItem,
  removeItem,
  setNull,
  stepNumber,
  stepTo,
  tick,
  typeJson,
  typeKey,
  typeNumber,
  typeText,
  type Change,
  type Path,
} from './draft-edits.ts'
import { draftOfValue } from './draft-of-value.ts'
import { emit, sameExact } from './draft-value.ts'
import type { Draft } from './draft.ts'
import type { FieldSpec } from './field-spec.ts'
import { newDraft } from './new-draft.ts'
import { anyJsonText, anySchema } from './schema-arbitrary.test-support.ts'

class Form {
  readonly spec: FieldSpec
  draft: Draft

  constructor(schema: unknown) {
    this.spec = describeSchema(schema)
    this.draft = newDraft(this.spec, true)
  }

  do(path: Path, change: Change): this {
    this.draft = changeAt(this.spec, this.draft, path, change)
    return this
  }

  fromJson(text: string): this {
    this.draft = draftOfValue(this.spec, parseExact(text, 'text'), this.draft)
    return this
  }

  get json(): string {
    const emitted = emit(this.spec, this.draft)
    return emitted === undefined ? '' : stringifyExact(emitted.value)
  }

  itemIds(name: string): string[] {
    const member = this.draft.body.type === 'object' ? this.draft.body.members.get(name) : undefined
    return member?.body.type === 'list' ? member.body.items.map((item) => item.id) : []
  }
}

const m = (name: string): Path => stepTo('', 'm', name)

describe('a draft', () => {
  it('gives back every JSON value exactly, whatever the schema', () => {
    fc.assert(
      fc.property(anySchema, anyJsonText, (schema, text) => {
        const spec = describeSchema(schema)
        const value = parseExact(text, 'text')
        const emitted = emit(spec, draftOfValue(spec, value))
        expect(sameExact(emitted?.value, value)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('is stable: form to JSON to form to JSON changes nothing, from any earlier draft', () => {
    fc.assert(
      fc.property(anySchema, anyJsonText, anyJsonText, (schema, first, second) => {
        const form = new Form(schema).fromJson(first).fromJson(second)
        expect(sameExact(parseExact(form.json, 'text'), parseExact(second, 'text'))).toBe(true)
        const before = form.draft
        form.fromJson(second)
        expect(form.draft).toBe(before)
      }),
      { numRuns: 250 },
    )
  })

  it('starts with what must be there, and leaves optional defaults to the server', () => {
    const form = new Form({
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer', default: 3 },
        unit: { enum: ['C', 'F'], default: 'C' },
        exact: { type: 'boolean' },
        place: { type: 'object', properties: { kind: { const: 'name' } }, required: ['kind'] },
      },
      required: ['city', 'unit', 'exact', 'place'],
    })
    expect(form.json).toBe('{"unit":"C","exact":false,"place":{"kind":"name"}}')
  })

  it('does not begin a required field that contains itself', () => {
    const form = new Form({ type: 'object', properties: { child: { $ref: '#' } }, required: ['child'] })
    expect(form.json).toBe('{}')
    form.do(m('child'), include)
    expect(form.json).toBe('{"child":{}}')
  })
})

describe('numbers', () => {
  const schema = { type: 'object', properties: { days: { type: 'integer' } } }

  it('keep what is typed, and JSON keeps the last valid number', () => {
    const form = new Form(schema).do(m('days'), typeNumber('5', true)).do(m('days'), typeNumber('1e', true))
    const draft = form.draft.body.type === 'object' ? form.draft.body.members.get('days') : undefined
    expect(draft?.body).toEqual({ type: 'number', text: '1e', kept: '5' })
    expect(form.json).toBe('{"days":5}')
    form.do(m('days'), typeNumber('1e3', true))
    expect(form.json).toBe('{"days":1e3}')
    form.do(m('days'), typeNumber('', true))
    expect(form.json).toBe('{}')
  })

  it('stay exact beyond what a double holds', () => {
    const form = new Form(schema).do(m('days'), typeNumber('9007199254740993', true))
    expect(form.json).toBe('{"days":9007199254740993}')
    form.do(m('days'), stepNumber(1))
    expect(form.json).toBe('{"days":9007199254740994}')
    form.do(m('days'), typeNumber('0.1', true)).do(m('days'), stepNumber(1))
    expect(form.json).toBe('{"days":1.1}')
  })

  it('stay a draft when another part of the JSON is edited', () => {
    const form = new Form({
      type: 'object',
      properties: { days: { type: 'integer' }, city: { type: 'string' } },
    })
    form.do(m('days'), typeNumber('1e', true)).fromJson('{"city":"Oslo"}')
    const draft = form.draft.body.type === 'object' ? form.draft.body.members.get('days') : undefined
    expect(draft?.body).toEqual({ type: 'number', text: '1e' })
  })
})

describe('nothing typed is lost', () => {
  const schema = {
    type: 'object',
    properties: {
      place: {
        oneOf: [
          { title: 'by name', type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          {
            title: 'by coordinates',
            type: 'object',
            properties: { lat: { type: 'number' } },
            required: ['lat'],
          },
        ],
      },
      since: { type: ['string', 'null'] },
      tags: { type: 'array', items: { type: 'string' } },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      unit: { enum: ['C', 'F'] },
      include: { type: 'array', items: { enum: ['wind', 'rain', 'uv'] } },
    },
    required: ['place'],
  }
  const inVariant = (index: number, name: string): Path => stepTo(stepTo(m('place'), 'v', index), 'm', name)

  it('when another variant is chosen', () => {
    const form = new Form(schema).do(inVariant(0, 'city'), typeText('Oslo', false))
    form.do(m('place'), chooseVariant(1)).do(inVariant(1, 'lat'), typeNumber('59.91', false))
    expect(form.json).toBe('{"place":{"lat":59.91}}')
    form.do(m('place'), chooseVariant(0))
    expect(form.json).toBe('{"place":{"city":"Oslo"}}')
    form.do(m('place'), chooseVariant(1))
    expect(form.json).toBe('{"place":{"lat":59.91}}')
  })

  it('when the JSON chooses the variant', () => {
    const form = new Form(schema).do(inVariant(0, 'city'), typeText('Oslo', false))
    form.fromJson('{"place":{"lat":1}}').do(m('place'), chooseVariant(0))
    expect(form.json).toBe('{"place":{"city":"Oslo"}}')
  })

  it('when a field is null or left out for a while', () => {
    const form = new Form(schema).do(m('since'), typeText('2026-11-21', true)).do(m('since'), setNull(true))
    expect(form.json).toBe('{"place":{},"since":null}')
    form.do(m('since'), setNull(false)).do(m('since'), leaveOut)
    expect(form.json).toBe('{"place":{}}')
    form.do(m('since'), include)
    expect(form.json).toBe('{"place":{},"since":"2026-11-21"}')
  })

  it('when a value fits no field: it is kept as JSON', () => {
    const form = new Form(schema).fromJson('{"place":[1.0],"unit":"K","tags":"none","extra":{"a":1}}')
    expect(form.json).toBe('{"place":[1.0],"tags":"none","unit":"K","extra":{"a":1}}')
    form.do(m('unit'), typeJson('"K', true))
    expect(form.json).toContain('"unit":"K"')
    form.do(m('unit'), typeJson('"Q"', true))
    expect(form.json).toContain('"unit":"Q"')
  })

  it('when items move', () => {
    const form = new Form(schema).fromJson('{"place":{},"tags":["a","b","c"]}')
    const [first = '', , last = ''] = form.itemIds('tags')
    form.do(m('tags'), moveItem(first, 1)).do(m('tags'), moveItem(last, 1))
    expect(form.json).toBe('{"place":{},"tags":["b","a","c"]}')
    form.do(m('tags'), removeItem(first)).do(m('tags'), addItem())
    expect(form.json).toBe('{"place":{},"tags":["b","c",""]}')
  })

  it('when two pairs have one key: the second is not sent, and stays', () => {
    const form = new Form(schema).fromJson('{"place":{},"labels":{"env":"staging"}}').do(m('labels'), addPair)
    const labels = form.draft.body.type === 'object' ? form.draft.body.members.get('labels') : undefined
    const second = labels?.body.type === 'object' ? labels.body.pairs[1] : undefined
    if (second === undefined) throw new Error('no second pair')
    form.do(m('labels'), typeKey(second.id, 'env'))
    form.do(stepTo(m('labels'), 'p', second.id), typeText('live', false))
    expect(form.json).toBe('{"place":{},"labels":{"env":"staging"}}')
    form.do(m('labels'), typeKey(second.id, 'env2'))
    expect(form.json).toBe('{"place":{},"labels":{"env":"staging","env2":"live"}}')
  })

  it('and choices keep the order of the schema, or their own', () => {
    const form = new Form(schema).do(m('include'), tick(1, true)).do(m('include'), tick(0, true))
    expect(form.json).toBe('{"place":{},"include":["wind","rain"]}')
    form.fromJson('{"place":{},"include":["rain","wind"]}').do(m('include'), tick(2, true))
    expect(form.json).toBe('{"place":{},"include":["rain","wind","uv"]}')
    form.do(m('unit'), choose(1))
    expect(form.json).toContain('"unit":"F"')
  })
})

describe('an array that is added', () => {
  it('has its first item when the items are plain values', () => {
    const spec = describeSchema({ type: 'array', items: { type: 'string' } })
    expect(emit(spec, includeWithItem(newDraft(spec, false), spec))).toEqual({ value: [''] })
  })

  it('starts empty when the items are groups, and keeps the items it had', () => {
    const groups = describeSchema({ type: 'array', items: { type: 'object', properties: {} } })
    expect(emit(groups, includeWithItem(newDraft(groups, false), groups))).toEqual({ value: [] })
    const texts = describeSchema({ type: 'array', items: { type: 'string' } })
    const before = leaveOut(draftOfValue(texts, ['x']), texts)
    expect(emit(texts, includeWithItem(before, texts))).toEqual({ value: ['x'] })
  })
})
