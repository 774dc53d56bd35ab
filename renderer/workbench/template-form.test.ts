import { describe, expect, it } from 'vitest'
import { promptSchema } from './prompt-schema.ts'
import { templateForm } from './template-form.ts'

describe('templateForm', () => {
  it('has a field for each variable, and reads the resource they name', () => {
    const form = templateForm('notes://{id}/{+path}{?page}')
    expect(form.schema).toMatchObject({
      properties: { id: { type: 'string' }, path: { type: 'string' }, page: { type: 'string' } },
      required: ['id', 'path'],
    })
    expect(form.request('{"id":"a b","path":"x/y","page":"2"}')).toEqual({
      ok: true,
      value: { method: 'resources/read', paramsText: '{"uri":"notes://a%20b/x/y?page=2"}' },
    })
  })

  it('says which variable is missing', () => {
    expect(templateForm('notes://{id}').request('{}')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('id') as unknown,
    })
  })

  it('takes the whole URI where the template uses more than can be expanded', () => {
    const form = templateForm('notes://{#fragment}')
    expect(form.schema).toMatchObject({ required: ['uri'] })
    expect(form.request('{"uri":"notes://1"}')).toMatchObject({
      value: { paramsText: '{"uri":"notes://1"}' },
    })
    expect(form.request('{}')).toEqual({ ok: false, reason: 'The URI is missing.' })
  })
})

describe('promptSchema', () => {
  it('makes a field of each valid argument and skips the others', () => {
    const prompt = {
      arguments: [{ name: 'city', required: true, description: 'Where to' }, { name: 'tone' }, 5, {}],
    }
    expect(promptSchema(prompt)).toMatchObject({
      properties: { city: { type: 'string', description: 'Where to' }, tone: { type: 'string' } },
      required: ['city'],
    })
  })
})
