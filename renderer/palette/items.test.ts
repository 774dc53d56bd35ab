import { describe, expect, it } from 'vitest'
import { findItems, type ItemGroup, type PaletteItem } from './items.ts'

const item = (group: ItemGroup, name: string): PaletteItem => ({
  id: name,
  group,
  icon: 'tool',
  name,
  where: undefined,
  keys: undefined,
  run: () => undefined,
})

describe('findItems', () => {
  const items = [
    item('Tools', 'my-add-tool'),
    item('Tools', 'echo'),
    item('Commands', 'Add server'),
    item('Servers', 'everything'),
  ]

  it('puts the group of the best match first', () => {
    const { groups, found } = findItems(items, 'add')
    expect(groups.map((group) => group.group)).toEqual(['Commands', 'Tools'])
    expect(found).toBe(2)
  })

  it('begins with commands and servers when nothing was typed', () => {
    expect(findItems(items, '').groups.map((group) => group.group)).toEqual(['Commands', 'Servers', 'Tools'])
  })

  it('keeps the order of what it was given when nothing was typed, and puts shorter names first else', () => {
    const given = [
      item('Commands', 'Go to editor'),
      item('Commands', 'Go to log'),
      item('Commands', 'New tool'),
    ]
    const names = (typed: string) => findItems(given, typed).groups[0]?.items.map((match) => match.item.name)
    expect(names(' ')).toEqual(['Go to editor', 'Go to log', 'New tool'])
    expect(names('go')).toEqual(['Go to log', 'Go to editor'])
  })

  it('guesses by scattered letters only where nothing fits better', () => {
    expect(findItems([item('Tools', 'get-sum'), item('Commands', 'Go to the next panel')], 'get').found).toBe(
      1,
    )
    expect(findItems([item('Commands', 'Go to the next panel')], 'gtn').found).toBe(1)
  })

  it('shows a bounded number and counts all', () => {
    const many = Array.from({ length: 2_000 }, (_value, index) => item('Tools', `tool-${index}`))
    const { groups, found } = findItems(many, 'tool')
    expect(found).toBe(2_000)
    expect(groups[0]?.items.length).toBeLessThanOrEqual(20)
  })
})
