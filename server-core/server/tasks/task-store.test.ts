import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { TaskStore } from './task-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const stop = () => undefined

describe('the task store', () => {
  it('shows a task to its caller only, and another one looks as if there were none', () => {
    const store = new TaskStore(DEFAULT_LIMITS)
    const { facts } = store.create({ owner: 'alice', stop })
    expect(store.find(facts.id, 'alice').facts).toBe(facts)
    expect(() => store.find(facts.id, 'bob')).toThrow(`There is no task "${facts.id}" (any more)`)
    expect(() => store.find(7, 'alice')).toThrow('params.taskId must be a string')
  })

  it('gives ids that nobody can guess', () => {
    const store = new TaskStore(DEFAULT_LIMITS)
    const ids = Array.from({ length: 50 }, () => store.create({ owner: 'a', stop }).facts.id)
    expect(new Set(ids).size).toBe(50)
    for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/)
  })

  it('keeps a task for its whole time and not longer, and stops its handler then', () => {
    const store = new TaskStore(DEFAULT_LIMITS)
    const stopped = vi.fn()
    const task = store.create({ owner: 'a', ttlMs: 5_000, stop: stopped })
    vi.advanceTimersByTime(4_999)
    expect(store.find(task.facts.id, 'a')).toBe(task)
    vi.advanceTimersByTime(1)
    expect(() => store.find(task.facts.id, 'a')).toThrow('There is no task')
    expect(task.state.type).toBe('gone')
    expect(stopped).toHaveBeenCalledExactlyOnceWith('the task was kept for 5000 ms')
  })

  it('makes room only by time, never by forgetting early', () => {
    const store = new TaskStore({ ...DEFAULT_LIMITS, tasks: 2 })
    store.create({ owner: 'a', ttlMs: 1_000, stop })
    const second = store.create({ owner: 'a', ttlMs: 9_000, stop })
    second.end({ type: 'result', result: {}, isError: false })
    expect(() => store.create({ owner: 'a', stop })).toThrow('2 tasks are kept already (limit tasks)')
    vi.advanceTimersByTime(1_000)
    expect(() => store.create({ owner: 'a', stop })).not.toThrow()
    expect(store.find(second.facts.id, 'a').state.type).toBe('ended')
  })

  it('stays within the longest time, and above the shortest', () => {
    const store = new TaskStore({ ...DEFAULT_LIMITS, taskMs: 10_000 }, { ttlMs: 60_000, pollIntervalMs: 7 })
    expect(store.create({ owner: 'a', stop }).facts).toMatchObject({ ttlMs: 10_000, pollIntervalMs: 7 })
    expect(store.create({ owner: 'a', ttlMs: 0, stop }).facts.ttlMs).toBe(1_000)
  })

  it('stops everything when it is closed', () => {
    const store = new TaskStore(DEFAULT_LIMITS)
    const stopped = vi.fn()
    store.create({ owner: 'a', stop: stopped })
    store.close()
    expect(stopped).toHaveBeenCalledExactlyOnceWith('the server stopped')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a task', () => {
  it('is what it ended as: nothing changes it afterwards', () => {
    const task = new TaskStore(DEFAULT_LIMITS).create({ owner: 'a', stop })
    task.end({ type: 'error', code: 1, message: 'first' })
    task.end({ type: 'result', result: {}, isError: false })
    expect(task.cancel('late')).toBe(false)
    expect(task.state).toEqual({ type: 'ended', outcome: { type: 'error', code: 1, message: 'first' } })
    expect(task.message).toBe('first')
  })

  it('never uses the key of a question twice', async () => {
    const task = new TaskStore(DEFAULT_LIMITS).create({ owner: 'a', stop })
    const question = { key: 'q', method: 'elicitation/create', params: {} } as const
    const first = task.ask([question])
    expect([...task.questions.keys()]).toEqual(['q'])
    task.answer('q', { action: 'accept' })
    expect(await first).toEqual({ q: { action: 'accept' } })
    const second = task.ask([question])
    expect([...task.questions.keys()]).toEqual(['q (2)'])
    task.answer('q', { action: 'decline' })
    task.answer('q (2)', { action: 'cancel' })
    expect(await second).toEqual({ q: { action: 'cancel' } })
    expect(task.state.type).toBe('working')
  })

  it('tells the changes of one turn once', () => {
    const task = new TaskStore(DEFAULT_LIMITS).create({ owner: 'a', stop })
    const told = vi.fn()
    const end = task.onChange(told)
    task.setStatusMessage('one')
    task.setStatusMessage('two')
    vi.runAllTicks()
    vi.advanceTimersByTime(0)
    expect(told).toHaveBeenCalledTimes(1)
    end()
    task.setStatusMessage('three')
    vi.advanceTimersByTime(0)
    expect(told).toHaveBeenCalledTimes(1)
  })
})
