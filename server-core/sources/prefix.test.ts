import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Prefix } from './prefix.ts'

describe('a prefix', () => {
  it.each([
    ['notes://all', 'notes://birds/all'],
    ['file:///a/b.md', 'file://birds//a/b.md'],
    ['urn:isbn:1', 'urn:birds/isbn:1'],
    ['notes://{id}/text{?page}', 'notes://birds/{id}/text{?page}'],
  ])('turns %s into %s and back', (own, published) => {
    const prefix = new Prefix('birds')
    expect(prefix.uri(own)).toBe(published)
    expect(prefix.ownUri(published)).toBe(own)
  })

  it('has no place where there is no scheme', () => {
    expect(new Prefix('birds').uri('{+anything}')).toBeUndefined()
    expect(new Prefix('birds').ownUri('birds/all')).toBeUndefined()
  })

  it('joins names with a dot, or with the separator that it is given', () => {
    expect(new Prefix('birds').name('find')).toBe('birds.find')
    expect(new Prefix('birds', '_').name('find')).toBe('birds_find')
  })

  it.each([
    ['the prefix is only the beginning of another', 'notes://birdsong/all'],
    ['the prefix stands elsewhere', 'notes://all/birds/1'],
    ['the prefix has other case', 'notes://Birds/all'],
    ['nothing follows the prefix', 'notes://birds'],
    ['without the prefix another scheme would be read', 'urn:birds///x'],
  ])('takes no URI where %s', (_why, uri) => {
    expect(new Prefix('birds').ownUri(uri)).toBeUndefined()
  })

  it('gives every URI back as it was, and takes none that is not under it', () => {
    const part = fc.string({ minLength: 1, maxLength: 8 }).map((text) => text.replaceAll(/[^a-z]/gi, 'x'))
    const uri = fc
      .tuple(part, fc.constantFrom(':', '://', ':///'), fc.string())
      .map(([scheme, between, rest]) => `${scheme}${between}${rest}`)
    fc.assert(
      fc.property(part, part, uri, (first, second, own) => {
        const prefix = new Prefix(first)
        const published = prefix.uri(own)
        expect(published).toBeDefined()
        if (published === undefined) return
        expect(prefix.ownUri(published)).toBe(own)
        const nested = new Prefix(second).uri(published) ?? ''
        expect(new Prefix(second).ownUri(nested)).toBe(published)
        if (first !== second) expect(prefix.ownUri(nested)).toBeUndefined()
      }),
    )
  })
})
