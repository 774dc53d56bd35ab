/** Help of `patchbay servers`. */
export const SERVERS_USAGE = `  patchbay servers add files -- npx -y @modelcontextprotocol/server-filesystem .
  patchbay servers approve files
  patchbay list --server files

Usage: patchbay servers list
       patchbay servers add NAME (--url URL | -- COMMAND [ARGS…])
       patchbay servers show NAME
       patchbay servers approve NAME… [--yes | --hash HASH]
       patchbay servers rename NAME NEW
       patchbay servers remove NAME…

The stored servers, the same that the window shows; an open window sees each change. A server is started or contacted
only after it was approved exactly as it is: its command, arguments, folder, environment and headers.

  approve: shows all of that (the values of secrets are hidden) and asks. Where there is no terminal:
  --yes, -y              approve what is stored now
  --hash HASH            approve only if it still has the hash that "servers show" printed

  add:
  --env NAME[=value]     a variable for COMMAND; without a value that of your environment, stored now
  --cwd DIR              the folder COMMAND starts in (this one)
  --header 'Name: value' sent with every request to --url
  --transport NAME       auto (the default), http, sse or websocket
  --revision VERSION     speak only this revision of MCP

  --profile DIR          Patchbay's data folder
  --workspace DIR        the folder whose patchbay.json has the servers
  --json                 JSON on a terminal too`
