import { describe, expect, it } from 'vitest'
import { keyText, matchesKeys } from './keys.ts'

const press = { key: 'k', code: 'KeyK', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

describe('keys', () => {
  it('are written as the platform writes them', () => {
    expect(keyText('mod+k', true)).toBe('⌘K')
    expect(keyText('mod+shift+enter', false)).toBe('Ctrl Shift ⏎')
    expect(keyText('F6', false)).toBe('F6')
  })

  it('match the platform’s own modifier and no other', () => {
    expect(matchesKeys({ ...press, metaKey: true }, 'mod+k', true)).toBe(true)
    expect(matchesKeys({ ...press, ctrlKey: true }, 'mod+k', true)).toBe(false)
    expect(matchesKeys({ ...press, ctrlKey: true }, 'mod+k', false)).toBe(true)
    expect(matchesKeys({ ...press, ctrlKey: true, shiftKey: true }, 'mod+k', false)).toBe(false)
    expect(matchesKeys(press, 'mod+k', false)).toBe(false)
  })

  it('match by place where Option types another character', () => {
    const option = { ...press, key: '˜', code: 'KeyN', altKey: true }
    expect(matchesKeys(option, 'alt+n', true)).toBe(true)
    expect(matchesKeys({ ...option, code: 'Digit1', key: '¡' }, 'alt+1', true)).toBe(true)
    expect(matchesKeys({ ...option, altKey: false }, 'n', true)).toBe(false)
  })
})
