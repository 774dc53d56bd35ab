/** Help on `patchbay doctor`. */
export const DOCTOR_USAGE = `  patchbay doctor

Usage: patchbay doctor [--json] [--profile DIR]

Checks this installation: Node, npm, the data folder, loopback ports, the browser, Electron, TypeScript's language
server, the entries in other clients. Changes nothing. The exit code is 1 if something does not work.

  --json         as JSON
  --profile DIR  the data folder to check`
