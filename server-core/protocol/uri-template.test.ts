import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { compileUriTemplate, UriTemplateError } from './uri-template.ts'

/** A text that is not empty and has no lone surrogates. */
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
/** A text that a reserved expansion leaves readable: no percent-triplet of its own, no control characters. */
const path = text.filter((value) => !/%[0-9a-f]{2}/i.test(value))

describe('expand', () => {
  it.each([
    ['notes://{id}', { id: 'a b/c' }, 'notes://a%20b%2Fc'],
    ['notes://{id}', { id: "it's (1)*!" }, 'notes://it%27s%20%281%29%2A%21'],
    ['file:///{+path}', { path: 'a/b c.txt' }, 'file:///a/b%20c.txt'],
    ['file:///{+path}', { path: 'a%2Fb?x#y' }, 'file:///a%2Fb?x#y'],
    ['tags:{tags*}', { tags: ['red', 'a,b'] }, 'tags:red,a%2Cb'],
    ['search{?q,limit}', { q: 'ä&b', limit: '3' }, 'search?q=%C3%A4%26b&limit=3'],
    ['search{?q,limit}', { limit: '3' }, 'search?limit=3'],
    ['search{?q,limit}', {}, 'search'],
    ['search{?q}', { q: '' }, 'search?q='],
    ['ü/{a}.x/{b}', { a: '1', b: '2' }, '%C3%BC/1.x/2'],
  ])('%s with %o is %s', (template, values, uri) => {
    expect(compileUriTemplate(template).expand(values)).toBe(uri)
  })

  it('names the variable that has no value', () => {
    const template = compileUriTemplate('notes://{id}')
    expect(() => template.expand({})).toThrow('needs a value for "id"')
    expect(() => template.expand({ id: '' })).toThrow(UriTemplateError)
    expect(() => compileUriTemplate('x:{toString}').expand({})).toThrow('needs a value for "toString"')
  })
})

describe('match', () => {
  it.each([
    ['notes://{id}', 'notes://7', { id: '7' }],
    ['notes://{id}', 'notes://a%20b%2Fc', { id: 'a b/c' }],
    ['notes://{id}', 'notes://a/b', undefined],
    ['notes://{id}', 'notes://', undefined],
    ['notes://{id}', 'note://7', undefined],
    ['notes://{id}', 'notes://%zz', undefined],
    ['notes://{id}', 'notes://%ff', undefined],
    ['notes://index', 'notes://index', {}],
    ['notes://index', 'notes://index2', undefined],
    ['file:///{+path}', 'file:///a/b%20c.txt', { path: 'a/b c.txt' }],
    ['{+path}-{b}', 'p-q/r-s', { path: 'p-q/r', b: 's' }],
    ['{a}-{b}', 'x-y-z', { a: 'x', b: 'y-z' }],
    ['{a}--{b}', 'x---z', { a: 'x', b: '-z' }],
    ['x:{a}/end', 'x:end/end', { a: 'end' }],
    ['tags:{tags*}', 'tags:red,a%2Cb', { tags: ['red', 'a,b'] }],
    ['search{?q,limit}', 'search?limit=3&q=a%26b', { limit: '3', q: 'a&b' }],
    ['search{?q,limit}', 'search', {}],
    ['search{?q}', 'search?q=1&q=2', undefined],
    ['search{?q}', 'search?other=1', undefined],
    ['{a}{?q}', 'x?q=1', { a: 'x', q: '1' }],
    ['x:{__proto__}', 'x:y', JSON.parse('{"__proto__":"y"}')],
  ])('%s on %s gives %o', (template, uri, values) => {
    expect(compileUriTemplate(template).match(uri)).toEqual(values)
  })

  it('gives back what was expanded', () => {
    const template = compileUriTemplate('app://{a}/list:{b*}/{c}{?d,e}')
    const values = fc.record(
      {
        a: text,
        b: fc.array(text, { minLength: 1, maxLength: 4 }),
        c: text,
        d: text,
        e: fc.string({ unit: 'grapheme' }),
      },
      { requiredKeys: ['a', 'b', 'c'], noNullPrototype: true },
    )
    fc.assert(
      fc.property(values, (given) => {
        expect(template.match(template.expand(given))).toEqual(given)
      }),
    )
  })

  it('gives back the path of a reserved expansion', () => {
    const template = compileUriTemplate('file:///{+path}')
    fc.assert(
      fc.property(path, (given) => {
        expect(template.match(template.expand({ path: given }))).toEqual({ path: given })
      }),
    )
  })

  it('expands every match to a URI that matches alike', () => {
    const templates = ['{a}-{b}', '{+a}-{b}', 'x/{+a}/y/{b}', '{a}.{b}.{c*}{?q}'].map(compileUriTemplate)
    const uri = fc.string({ unit: fc.constantFrom('x', '/', '-', 'y', '.', '?q=', ','), maxLength: 30 })
    fc.assert(
      fc.property(fc.constantFrom(...templates), uri, (template, candidate) => {
        const values = template.match(candidate)
        if (values !== undefined) expect(template.match(template.expand(values))).toBeDefined()
      }),
    )
  })

  it('never throws, whatever the URI', () => {
    const template = compileUriTemplate('{a}/{+b}-{c*}{?d}')
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (uri) => void template.match(uri)))
  })

  it('looks at each character a bounded number of times, for inputs that make backtracking explode', () => {
    const holes = Array.from({ length: 15 }, (_, i) => `{+v${i}}`).join('a')
    const template = compileUriTemplate(`{first}a${holes}`)
    const closed = compileUriTemplate(`{first}a${holes}!`)
    for (const length of [1_000, 16_000]) {
      // At most one look at each character for each of the parts, whether the fault is at the end or at the start.
      const text = 'a'.repeat(length)
      expect(looksAtText(() => closed.match(text))).toBeLessThan(33 * length)
      const looks = looksAtText(() => template.match(`/${text}`))
      expect(looks).toBeGreaterThan(length)
      expect(looks).toBeLessThan(33 * length)
    }
  })

  it('matches nothing that is longer than 65,536 characters', () => {
    expect(compileUriTemplate('{+a}').match('a'.repeat(65_537))).toBeUndefined()
  })
})

/** How often the work looks into a text by place. */
function looksAtText(work: () => unknown): number {
  const spies = [vi.spyOn(String.prototype, 'charCodeAt'), vi.spyOn(String.prototype, 'startsWith')]
  try {
    work()
    return spies.reduce((looks, spy) => looks + spy.mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

describe('compile', () => {
  it('tells the variables and their forms', () => {
    expect(compileUriTemplate('x:{a}/{+b}/{c*}{?d,e}').variables).toEqual([
      { name: 'a', form: 'simple' },
      { name: 'b', form: 'reserved' },
      { name: 'c', form: 'list' },
      { name: 'd', form: 'query' },
      { name: 'e', form: 'query' },
    ])
  })

  it.each([
    ['x:{a', 'never closed'],
    ['x:a}', 'without its partner'],
    ['x: {a}', 'white space'],
    ['x:{}', 'understood are'],
    ['x:{#a}', 'understood are'],
    ['x:{/a}', 'understood are'],
    ['x:{a,b}', 'understood are'],
    ['x:{a:3}', 'understood are'],
    ['x:{+a*}', 'understood are'],
    ['x:{?a*}', 'understood are'],
    ['x:{a}{b}', /^The URI template "x:\{a\}\{b\}" needs some text before \{b\}/],
    ['x{?a}/y', /goes on after .* must be its end/],
    ['x{?a}{b}', /^The .* must be its end/],
    ['x:{a}/{a}', 'twice'],
    ['x'.repeat(5_000), 'at most 4096 characters'],
    ['{a}/'.repeat(40), 'at most 32 expressions'],
  ])('refuses %s', (template, reason) => {
    expect(() => compileUriTemplate(template)).toThrow(reason)
  })
})
