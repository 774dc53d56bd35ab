import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { windowsProgram } from './windows-program.ts'

const NODE = 'C:\\Program Files\\nodejs\\node.exe'
const NPM = 'C:\\Program Files\\nodejs'
const GLOBAL = 'C:\\Users\\ann\\AppData\\Roaming\\npm'

/** As npm writes it for a package's program. */
const SHIM = `@ECHO off\r
GOTO start\r
:find_dp0\r
SET dp0=%~dp0\r
EXIT /b\r
:start\r
SETLOCAL\r
CALL :find_dp0\r
\r
IF EXIST "%dp0%\\node.exe" (\r
  SET "_prog=%dp0%\\node.exe"\r
) ELSE (\r
  SET "_prog=node"\r
  SET PATHEXT=%PATHEXT:;.JS;=;%\r
)\r
\r
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%" --no-warnings "%dp0%\\node_modules\\server\\dist\\index.js" %*\r
`
/** As older versions wrote it. */
const OLD_SHIM = `@IF EXIST "%~dp0\\node.exe" (\r
  "%~dp0\\node.exe"  "%~dp0\\node_modules\\server\\dist\\index.js" %*\r
) ELSE (\r
  @SETLOCAL\r
  @SET PATHEXT=%PATHEXT:;.JS;=;%\r
  node  "%~dp0\\node_modules\\server\\dist\\index.js" %*\r
)\r
`
/** As Node brings it along. */
const NPX = `:: Created by npm, please don't edit manually.\r
@ECHO OFF\r
\r
SETLOCAL\r
\r
SET "NODE_EXE=%~dp0\\node.exe"\r
IF NOT EXIST "%NODE_EXE%" (\r
  SET "NODE_EXE=node"\r
)\r
\r
SET "NPM_PREFIX_JS=%~dp0\\node_modules\\npm\\bin\\npm-prefix.js"\r
SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"\r
FOR /F "delims=" %%F IN ('CALL "%NODE_EXE%" "%NPM_PREFIX_JS%"') DO (\r
  SET "NPM_PREFIX_NPX_CLI_JS=%%F\\node_modules\\npm\\bin\\npx-cli.js"\r
)\r
IF EXIST "%NPM_PREFIX_NPX_CLI_JS%" (\r
  SET "NPX_CLI_JS=%NPM_PREFIX_NPX_CLI_JS%"\r
)\r
\r
"%NODE_EXE%" "%NPX_CLI_JS%" %*\r
`
const script = `${GLOBAL}\\node_modules\\server\\dist\\index.js`
const npx = `${NPM}\\node_modules\\npm\\bin\\npx-cli.js`

const machine = (files: Readonly<Record<string, string>>) => {
  const texts = new Map(Object.entries(files).map(([file, text]) => [file.toLowerCase(), text]))
  return {
    isFile: (file: string) => texts.has(file.toLowerCase()),
    read: (file: string) => texts.get(file.toLowerCase()) ?? '',
  }
}
const env = { Path: `C:\\Windows;"${NPM}";${GLOBAL}`, PATHEXT: '.COM;.EXE;.BAT;.CMD;.JS' }
const start = (command: string, files: Readonly<Record<string, string>>, args: readonly string[] = ['-y']) =>
  windowsProgram({ command, args, env, cwd: 'C:\\work' }, machine({ [NODE]: '', ...files }))

describe('windowsProgram', () => {
  it('finds a program in PATH, by its path, and counts a relative path from the folder it starts in', () => {
    expect(start('node', {})).toEqual({ ok: true, file: NODE, args: ['-y'] })
    expect(start(NODE, {})).toEqual({ ok: true, file: NODE, args: ['-y'] })
    expect(start('.\\tool.exe', { 'C:\\work\\tool.exe': '' })).toMatchObject({ file: 'C:\\work\\tool.exe' })
    expect(start('uvx', {})).toBeUndefined()
  })

  it('starts what a shim of npm starts, whatever node it names', () => {
    const files = { [`${GLOBAL}\\server.cmd`]: SHIM, [script]: '' }
    const args = ['--no-warnings', script, '-y']
    expect(start('server', files)).toEqual({ ok: true, file: NODE, args })
    expect(start(`${GLOBAL}\\server.CMD`, files)).toEqual({ ok: true, file: NODE, args })
    const own = `${GLOBAL}\\node.exe`
    expect(start('server', { ...files, [own]: '' })).toEqual({ ok: true, file: own, args })
  })

  it('reads older shims and those that come with Node', () => {
    expect(start('server', { [`${GLOBAL}\\server.cmd`]: OLD_SHIM, [script]: '' })).toEqual({
      ok: true,
      file: NODE,
      args: [script, '-y'],
    })
    expect(start('npx', { [`${NPM}\\npx.cmd`]: NPX, [npx]: '' })).toEqual({
      ok: true,
      file: NODE,
      args: [npx, '-y'],
    })
  })

  it.each([
    ['does more', '@echo off\r\njava -jar "%~dp0\\lib.jar"\r\n'],
    ['names a script that is not there', SHIM],
    ['needs a variable of its run', '@"%HOME_OF_IT%\\bin\\x.exe" "%HOME_OF_IT%\\x.js" %*\r\n'],
  ])('refuses a batch file that %s', (_what, text) => {
    expect(start('other', { [`${GLOBAL}\\other.bat`]: text })).toEqual({
      ok: false,
      reason: `"${GLOBAL}\\other.bat" is a batch file, which only a shell can run; give the program that it starts instead`,
    })
  })

  it('hands on every argument as it is', () => {
    const files = { [`${GLOBAL}\\server.cmd`]: SHIM, [script]: '' }
    fc.assert(
      fc.property(fc.array(fc.string()), (args) => {
        const program = start('server', files, args)
        expect(program?.ok === true && program.args.slice(2)).toEqual(args)
      }),
    )
  })

  it('takes any text for a batch file', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('%', '*', '"', 'set ', '=', '\n', 'a', '~dp0', '&', '(') }),
        (text) => {
          expect(start('any', { [`${GLOBAL}\\any.cmd`]: text })).toBeDefined()
        },
      ),
    )
  })
})
