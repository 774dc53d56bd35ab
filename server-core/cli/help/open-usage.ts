const WINDOW_OPTIONS = `  --workspace DIR   the workspace to open
  --profile DIR     the folder for settings, secrets and saved data
  --mcp-port N      the port of the server that Patchbay hosts (0: any free one)`

/** Help on `patchbay` without a command. */
export const OPEN_USAGE = `  patchbay node build/index.js
  patchbay https://mcp.example/mcp
  patchbay --env API_KEY -- list-server

Usage: patchbay [options] [COMMAND ARGS… | URL]

Opens the window in the browser. A server that is named is stored, approved and connected. Another
first word than a command of Patchbay is run if it is a path or a program on PATH; what follows -- is always run.

  --headless        open no browser, print the address
  --browser         open the browser (the default)
  --port N          the port of the window (0: any free one, the default)
${WINDOW_OPTIONS}
  --name NAME       the name of the server
  --env NAME[=VALUE]  a variable of the program; the NAME alone passes on that of this shell; may be repeated
  --header 'NAME: VALUE'  a header for the address; may be repeated

Ctrl-C ends it, with everything that it started.`

/** Help on `patchbay desktop`. */
export const DESKTOP_USAGE = `  patchbay desktop

Usage: patchbay desktop [options]

Opens the window on the desktop. Electron is fetched at the first start, after it asked.

${WINDOW_OPTIONS}
  -y, --yes         fetch Electron without asking`
