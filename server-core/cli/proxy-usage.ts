/** Help of `patchbay proxy`. */
export const PROXY_USAGE = `Usage: patchbay proxy [serve's options] (--url URL | --server NAME… | -- COMMAND…)

Serves another server on, over any transport and in any revision, or several as one.

Which server (a command at the end, an address, or stored ones):
  --url URL              a server behind an address
  --server NAME          a server stored in Patchbay, approved there; several are served as one, each tool
                         and prompt as NAME__tool
  -- COMMAND [ARGS…]     a command to start for each client; typing it is your approval

  --header 'Name: value' sent with every request to --url; may be repeated
  --env NAME=value       a variable for COMMAND; may be repeated
  --cwd DIR              the folder COMMAND starts in
  --transport WAY        how --url is spoken to: auto (the default), http, sse or ws
  --profile DIR          Patchbay's data folder, for --server
  --page-items N         entries on one page of a list

How clients reach it is said by the options of patchbay serve (--stdio, --http, --sse, --ws, --all, --port,
--token, --revision, --workspace …; see patchbay serve --help) and the member "serve" of patchbay.json.
Without a server the member "proxy" of patchbay.json says which:
  {"proxy": {"servers": {"files": {"server": "My files", "include": ["read_*"], "exclude": ["*_all"],
                                   "rename": {"read_file": "read"}}, "web": {}}, "pageItems": 100}}`
