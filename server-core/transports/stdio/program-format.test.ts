import { expect, it } from 'vitest'
import { foreignFormat, formatOf, programFormat } from './program-format.ts'

const head = (...parts: readonly (readonly [number, readonly number[]])[]): Buffer => {
  const bytes = Buffer.alloc(256)
  for (const [at, values] of parts) bytes.set(values, at)
  return bytes
}

it('tells system and processor of a program by its first bytes', () => {
  const elf = [0x7f, 0x45, 0x4c, 0x46, 2, 1] as const
  expect(formatOf(head([0, elf], [18, [0xb7, 0]]))).toEqual({ system: 'Linux', processor: 'arm64' })
  expect(formatOf(head([0, [...elf.slice(0, 5), 2]], [18, [0, 22]]))).toEqual({
    system: 'Linux',
    processor: 's390x',
  })
  expect(formatOf(head([0, elf], [18, [1, 2]]))).toEqual({ system: 'Linux', processor: '513' })
  expect(formatOf(head([0, [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1]]))).toEqual({
    system: 'macOS',
    processor: 'arm64',
  })
  expect(formatOf(head([0, [0x4d, 0x5a]], [0x3c, [0x80]], [0x80, [0x50, 0x45, 0, 0, 0x64, 0x86]]))).toEqual({
    system: 'Windows',
    processor: 'x64',
  })
  for (const other of [
    head(),
    head([0, [0x4d, 0x5a]], [0x3c, [0xff, 0xff]]),
    Buffer.from('#!/bin/sh'.padEnd(64)),
  ])
    expect(formatOf(other)).toBeUndefined()
})

it('knows the program that runs this, and says what another machine’s was made for', () => {
  expect(programFormat(process.execPath)?.processor).toBe(process.arch)
  expect(foreignFormat(process.execPath)).toBeUndefined()
  expect(foreignFormat(process.execPath, process.platform, 'mips')).toMatch(/ on /)
  expect(foreignFormat('/no/such/file')).toBeUndefined()
})
