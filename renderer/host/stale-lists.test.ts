import { describe, expect, it } from 'vitest'
import { StaleLists } from './stale-lists.ts'

const EVERYTHING = new Set(['tools', 'resources', 'prompts'])

describe('StaleLists', () => {
  it('has everything read at first and on request, and only what changed after a change', () => {
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

  it('reports what changed during a reading, and has nothing else read after it', () => {
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
