/** Help of `patchbay proxy`. */
export const PROXY_USAGE = `  patchbay proxy --http --port 8080 -- node server.js
  patchbay proxy --stdio --url https://example.com/mcp
  patchbay proxy --http --server files --server web

Usage: patchbay proxy [serve's options] (--url URL | --server NAME… | -- COMMAND…)

Serves another server on, over any transport and in any revision, or several as one.

Which server (a command at the end, an address, or stored ones):
  --url URL              a server behind an address
  --server NAME          a stored server ("patchbay servers" approves it); several are served as one, each tool
                         and prompt as NAME__tool
  -- COMMAND [ARGS…]     a command to start for each client; typing it is your approval

  --header 'Name: value' sent with every request to --url; may be repeated
  --env NAME[=value]     a variable for COMMAND; without a value that of your environment; may be repeated
  --cwd DIR              the folder COMMAND starts in
  --transport WAY        transport of --url: auto (the default), http, sse or ws
  --cacert FILE          trust the certificates in this PEM file too
  --insecure             accept any certificate; whoever is in between can read and change everything
  --profile DIR          Patchbay's data folder, for --server and the folders that are trusted
  --trust                use all options of the patchbay.json in the present folder, for this run
  --page-items N         entries on one page of a list

The options of patchbay serve (--stdio, --http, --sse, --ws, --all, --port, --token, --revision, --workspace …;
see patchbay serve --help) and the member "serve" of patchbay.json set how clients reach it. Without a server
the member "proxy" of patchbay.json names them; the folder has to be trusted, or named with --workspace:
  {"proxy": {"servers": {"files": {"server": "My files", "only": ["read_*"], "except": ["*_all"],
                                   "rename": {"read_file": "read"}}, "web": {}}, "pageItems": 100}}`
