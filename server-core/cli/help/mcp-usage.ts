/** Help of `patchbay mcp`. */
export const MCP_USAGE = `  patchbay mcp install claude-desktop my-tools --trust
  patchbay mcp install cursor --server files --create
  patchbay mcp status

Usage: patchbay mcp install CLIENT [DIR | --server NAME] [options]
       patchbay mcp uninstall CLIENT [--name NAME]
       patchbay mcp undo CLIENT
       patchbay mcp status [CLIENT…] [--name NAME]
       patchbay mcp test [DIR | --server NAME] [--trust] [--timeout MS]
       patchbay mcp test CLIENT [--name NAME] [--timeout MS] [--approve]

Writes one entry into the configuration of another client, and takes it out again. Everything else in the file
stays byte for byte; what it was before is kept beside it.

CLIENT is one of claude-desktop, claude-code, cursor, vscode, codex, gemini, openclaw.

  install    have it start Patchbay, by absolute paths: with the workspace DIR (the usual one if none is named),
             or as the proxy of a stored server. Our own entry is updated
  uninstall  remove our entry; --name says which if there are several
  undo       put the file back as it was before the last change, if nobody changed it since
  status     show the clients found, and which of their entries start this Patchbay, are stale, or are foreign
  test       start what install would write (the workspace DIR, or else the present folder if it is one, or the
             usual one) as a client would, read its lists, and call a tool that only reads. What cannot be loaded
             is reported, and ends it with exit code 5. With a CLIENT: start exactly what was installed there; with
             --project or --file, whose file anybody may have written, it shows what that is and asks first

  --server NAME    a stored, approved server (patchbay servers)
  --name NAME      the name of the entry (made of the folder or server)
  --trust          run the scripts of DIR though nobody trusted the folder in the window
  --replace        take the place of somebody else's entry of that name
  --create         make the file even if the client is not on this machine
  --project DIR    the client's file in that folder, such as .mcp.json or .vscode/mcp.json
  --file FILE      this file; its ending says whether it is JSON, YAML or TOML
  --approve        test: start what the file of --project or --file says, without asking
  --timeout MS     test: how long a start or an answer may take (30000)
  --profile DIR    Patchbay's data folder
  --workspace DIR  the folder whose patchbay.json has the stored server
  --json           answer in JSON even on a terminal`

/** Help of `patchbay import`. */
export const IMPORT_USAGE = `  patchbay import --dry-run
  patchbay import cursor && patchbay servers list

Usage: patchbay import [CLIENT…] [options]

Stores the servers that other clients have in their configuration. They are not approved: nothing of
them is started or contacted before you approve it, with patchbay servers approve NAME or in the window. Servers that
are stored already are skipped.

CLIENT is one of claude-desktop, claude-code, cursor, vscode, codex, gemini, openclaw (all that are here).

  --dry-run        show what would be stored
  --project DIR    the clients' files in that folder
  --file FILE      this file, with one CLIENT
  --profile DIR    Patchbay's data folder
  --workspace DIR  the folder whose patchbay.json they go to
  --json           answer in JSON even on a terminal`
