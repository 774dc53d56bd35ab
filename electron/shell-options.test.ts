import { describe, expect, it } from 'vitest'
import { parseShellOptions } from './shell-options.ts'

describe('parseShellOptions', () => {
  it('reads its own flags between those of Chromium and the debugger', () => {
    const args = [
      '--inspect=0',
      '--remote-debugging-port=0',
      '.',
      '--profile=/p q',
      '--mcp-port=0',
      '--workspace',
      '/w',
    ]
    expect(parseShellOptions(args)).toEqual({ profile: '/p q', workspace: '/w', mcpPort: 0 })
  })

  it('leaves out missing options', () => {
    expect(parseShellOptions(['.'])).toEqual({})
  })

  it.each(['x', '-1', '65536', '1.5', ''])('rejects the port %j by name', (port) => {
    expect(() => parseShellOptions([`--mcp-port=${port}`])).toThrow(
      /--mcp-port expects a number from 0 to 65535/,
    )
  })
})
