import { describe, expect, it } from 'vitest'
import type { Lists } from './inspect.ts'
import { ofKinds, withPage, withRead } from './lists.ts'

describe('withRead', () => {
  const entry = (name: string): Lists['tools'][number] => ({ name, value: { name } })
  const known: Lists = {
    tools: [entry('old')],
    resources: [entry('r')],
    resourceTemplates: [entry('t')],
    prompts: [entry('p')],
    problems: [
      { list: 'tools', message: 'gone by now' },
      { list: 'resourceTemplates', message: 'no' },
    ],
  }
  const nothing: Lists = { tools: [], resources: [], resourceTemplates: [], prompts: [], problems: [] }

  it('takes over the lists that were read, with their problems, and keeps the others', () => {
    const merged = withRead(known, { ...nothing, tools: [entry('new')] }, ['tools'])
    expect(merged).toEqual({ ...known, tools: [entry('new')], problems: [known.problems[1]] })
    expect(withRead(known, nothing, ['resources'])).toEqual({
      ...known,
      resources: [],
      resourceTemplates: [],
      problems: [known.problems[0]],
    })
  })

  it('is what was read when nothing was known', () => {
    expect(withRead(undefined, known, ['tools'])).toBe(known)
  })

  it('adds the next page of a reading, starts over when the server restarts it, and ignores other readings', () => {
    const partial: Lists = { ...nothing, tools: [entry('a')], more: [{ list: 'tools', readingId: '1' }] }
    const page = {
      list: 'tools' as const,
      entries: [entry('b')],
      hasMore: true,
      isRestarted: false,
      problems: [],
    }
    const longer = withPage(partial, '1', page)
    expect(longer).toEqual({ ...partial, tools: [entry('a'), entry('b')] })
    expect(withPage(longer, '1', { ...page, isRestarted: true, hasMore: false })).toEqual({
      ...nothing,
      tools: [entry('b')],
    })
    expect(withPage(partial, 'of another reading', page)).toBe(partial)
    expect(withRead(partial, nothing, ['prompts']).more).toEqual(partial.more)
    expect(withRead(partial, nothing, ['tools']).more).toBeUndefined()
  })

  it('leaves out the lists, problems and readings of other kinds', () => {
    const paged: Lists = { ...known, more: [{ list: 'prompts', readingId: '1' }] }
    expect(ofKinds(paged, ['tools'])).toEqual({
      ...nothing,
      tools: known.tools,
      problems: [known.problems[0]],
    })
    expect(ofKinds(paged, ['tools', 'resources', 'prompts'])).toEqual(paged)
  })
})
