import { describe, expect, it } from 'vitest'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { StaleLists, withPage, withRead } from './stale-lists.ts'

const EVERYTHING = new Set(['tools', 'resources', 'prompts'])

describe('StaleLists', () => {
  it('has everything read at first and by hand, and only what changed when a change was told', () => {
    const stale = new StaleLists()
    stale.begin('s', false)
    expect(stale.end('s')).toBe(true)
    stale.mark('s', ['tools'])
    stale.mark('s', ['prompts'])
    expect(stale.begin('s', true)).toEqual(new Set(['tools', 'prompts']))
    expect(stale.end('s')).toBe(true)
    expect(stale.begin('s', true)).toEqual(EVERYTHING)
    expect(stale.begin('other', true)).toEqual(EVERYTHING)
  })

  it('keeps what a reading that was given up did not bring', () => {
    const stale = new StaleLists()
    stale.mark('s', ['tools'])
    stale.begin('s', true)
    stale.mark('s', ['prompts'])
    expect(stale.begin('s', true)).toEqual(new Set(['tools', 'prompts']))
    const whole = new StaleLists()
    whole.begin('s', true)
    whole.mark('s', ['tools'])
    expect(whole.begin('s', true)).toEqual(EVERYTHING)
  })

  it('tells what changed during a reading, and has nothing else read after it', () => {
    const stale = new StaleLists()
    stale.begin('s', false)
    stale.mark('s', ['tools'])
    expect(stale.end('s')).toBe(false)
    expect(stale.begin('s', true)).toEqual(new Set(['tools']))
    expect(stale.end('s')).toBe(true)
  })

  it('is not misled by changes from before anything was read', () => {
    const stale = new StaleLists()
    stale.mark('s', ['tools'])
    expect(stale.begin('s', false)).toEqual(EVERYTHING)
  })
})

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
    const merged = withRead(known, { ...nothing, tools: [entry('new')] }, new Set(['tools']))
    expect(merged).toEqual({ ...known, tools: [entry('new')], problems: [known.problems[1]] })
    expect(withRead(known, nothing, new Set(['resources']))).toEqual({
      ...known,
      resources: [],
      resourceTemplates: [],
      problems: [known.problems[0]],
    })
  })

  it('is what was read when nothing was known', () => {
    expect(withRead(undefined, known, new Set(['tools']))).toBe(known)
  })

  it('takes in a further page of a reading, begins anew with one that the server began anew, and lets others be', () => {
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
    expect(withRead(partial, nothing, new Set(['prompts'])).more).toEqual(partial.more)
    expect(withRead(partial, nothing, new Set(['tools'])).more).toBeUndefined()
  })
})
