import { afterEach, expect, it, vi } from 'vitest'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { ElicitationRefusedError } from '../answers.ts'
import type { Report } from '../report.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement } from './setup.test-support.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Keeps what is reported, as `kind name: message`. */
function listening(): { readonly heard: string[]; readonly report: Report } {
  const heard: string[] = []
  return {
    heard,
    report: (error, { kind, name }) => heard.push(`${kind} ${name}: ${(error as Error).message}`),
  }
}

const failing = (message: string) => () => {
  throw new Error(message)
}

inEveryPlacement('a fault of a handler', ({ call, view }) => {
  it('is reported with the entry, once, whatever its kind', async () => {
    const { heard, report } = listening()
    const { view: opened } = await view(
      (registry) => {
        registry.addTool({ name: 'tool', run: failing('1') })
        registry.addTool({
          name: 'circle',
          run: () => Object.defineProperty({}, 'a', { enumerable: true, get: failing('2') }),
        })
        registry.addResource({ uri: 'a://b', name: 'resource', read: failing('3') })
        registry.addResourceTemplate({
          uriTemplate: 'c://{d}',
          name: 'template',
          read: failing('4'),
          list: failing('5'),
        })
        registry.addPrompt({
          name: 'prompt',
          arguments: [{ name: 'a' }],
          get: failing('6'),
          complete: { a: failing('7') },
        })
      },
      { report },
    )
    const invocation = new ScriptedInvocation()
    await call(opened, 'tool', {})
    await call(opened, 'circle', {})
    const [template] = opened.resourceTemplates()
    const rest = [
      () => opened.resourceFor('a://b')?.read(invocation),
      () => template?.read('c://d', { d: 'd' }, invocation),
      () => template?.list?.(invocation),
      () => opened.prompt('prompt')?.get({}, invocation),
      () => opened.complete({ type: 'ref/prompt', name: 'prompt' }, { name: 'a', value: '' }, {}, invocation),
    ]
    for (const ask of rest) await expect(ask()).rejects.toMatchObject({ code: ErrorCode.internalError })
    expect(heard).toEqual([
      'tool tool: 1',
      expect.stringMatching(/^tool circle: .*2$/),
      'resource resource: 3',
      'template template: 4',
      'list template: 5',
      'prompt prompt: 6',
      'completion prompt: 7',
    ])
  })

  it('is not an answer, a refusal, a mapped error or the end of the call', async () => {
    const { heard, report } = listening()
    const thrown: Record<string, Error> = {
      protocol: new ProtocolError(ErrorCode.invalidParams, 'no such account'),
      refusal: new ElicitationRefusedError('decline', 'q1', 'Sure?'),
      mapped: new Error('known'),
      aborted: new Error('stopped'),
    }
    const { view: opened } = await view(
      (registry) => {
        for (const [name, error] of Object.entries(thrown)) {
          registry.addTool({ name, run: () => Promise.reject(error) })
        }
        registry.addTool({ name: 'guarded', guards: [{ name: 'g', allows: () => false }], run: () => 'x' })
        registry.addTool({
          name: 'waiting',
          run: (_args, ctx) =>
            new Promise((_resolve, reject) => {
              ctx.signal.addEventListener('abort', () => {
                reject(new Error('stopped'))
              })
              ctx.progress(1)
            }),
        })
      },
      { report, mapError: (error) => (error === thrown['mapped'] ? new Error('mapped') : undefined) },
    )
    await expect(call(opened, 'protocol', {})).rejects.toThrow('no such account')
    await expect(call(opened, 'guarded', {})).rejects.toThrow('Forbidden')
    expect(await call(opened, 'refusal', {})).toMatchObject({ isError: true })
    expect(await call(opened, 'mapped', {})).toMatchObject({ content: [{ text: 'mapped' }] })
    const invocation = new ScriptedInvocation()
    const waiting = call(opened, 'waiting', {}, invocation).catch(() => undefined)
    await expect.poll(() => invocation.emissions).toHaveLength(1)
    invocation.controller.abort(new Error('cancelled'))
    await waiting
    expect(heard).toEqual([])
  })

  it('goes to standard error with its stack and cause, and never to standard output', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const output = vi.spyOn(process.stdout, 'write')
    const { view: opened } = await view((registry) => {
      registry.addTool({
        name: 'broken',
        run: () => {
          throw new Error('it broke', { cause: new Error('the root') })
        },
      })
    })
    await call(opened, 'broken', {})
    const said = String(written.mock.calls[0]?.[0])
    expect(said).toMatch(/^The handler of tool "broken" failed: Error: it broke\n +at .*report\.test\.ts/)
    expect(said).toContain('the root')
    expect(output).not.toHaveBeenCalled()
  })

  it('is reported, and the call answered, where the report itself fails', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { view: opened } = await view(
      (registry) => {
        registry.addTool({ name: 'broken', run: failing('it broke') })
      },
      { report: failing('no log') },
    )
    expect(await call(opened, 'broken', {})).toMatchObject({ content: [{ text: 'it broke' }] })
    expect(written.mock.calls.join('')).toMatch(/it broke[^]*no log/)
  })
})
