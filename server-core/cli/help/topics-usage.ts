import { SUPPORTED } from '../../protocol/revisions.ts'
import { EXIT_CODES } from '../output/exit-code.ts'
import { inheritedVariableNames } from '../../transports/stdio/child-environment.ts'

/** Help on what several commands share, by the word after `patchbay help`. */
export const TOPICS = ['connecting', 'answering', 'exit-codes'] as const
export type Topic = (typeof TOPICS)[number]

export const TOPIC_USAGE: Readonly<Record<Topic, string>> = {
  connecting: `  patchbay list -- npx -y some-mcp-server
  patchbay list --env API_KEY -- node server.js
  patchbay list --url https://mcp.example/mcp --header 'Authorization: Bearer …'
  patchbay list --server files
  patchbay call greet --arg name=Ada --dir my-tools --trust

Which server (one of):
  --url URL              a server at an address: http, https, ws or wss
  --server NAME          a stored server ("patchbay servers" lists and approves them)
  --dir DIR              the scripts of a workspace, without serving it first
  -- COMMAND [ARGS…]     a program to start; typing it is your approval

How:
  --transport NAME       auto (the default), http, sse, websocket or stdio
  --revision VERSION     speak only this revision of MCP
                         (${SUPPORTED.join(', ')})
  --timeout MS           how long connecting may take, and each answer (60000)

With --url:
  --header 'Name: value' sent with every request; may be repeated
  --authorize            open the browser when the server asks for authorization, without asking first
  --cacert FILE          trust the certificates in this PEM file too
  --insecure             accept any certificate; whoever is in between can read and change everything

With -- COMMAND, which gets only these variables of your environment:
  ${inheritedVariableNames().join(', ')}
  --env NAME             pass on a variable of your environment; may be repeated
  --env NAME=value       set a variable; may be repeated
  --cwd DIR              the folder that COMMAND starts in

With --dir, whose scripts get the variables that patchbay.config.ts names in "environment":
  --trust                for this run, trust DIR and run its scripts
  --env NAME=value       set a variable; may be repeated

  --profile DIR          Patchbay's data folder, where stored servers, tokens and model endpoints are
  --workspace DIR        the workspace that has the server, for --server`,

  answering: `  patchbay call book --responder 'elicitation=fixed:{"action":"accept","content":{"seats":2}}' --server tables
  patchbay call summarise --responder sampling=model:local --responder roots=. -- node server.js

Servers may send requests during a call. Who answers them:
  --responder KIND=RULE  may be repeated

KIND is sampling, elicitation (or elicitation-form, elicitation-url) or roots.
RULE is one of
  ask                    you, on a terminal; without one it is declined (the default)
  decline, never         a refusal; no answer at all
  fixed:JSON             this result (@FILE in place of JSON reads it from a file)
  template:JSON          a result with parts of the request in it
  script:FILE            a function of yours
  model:ENDPOINT[/MODEL] a model endpoint of the profile, for sampling
  wait:MS:RULE           so many milliseconds, then another rule
  FOLDER                 for roots: shares this folder (by default none)
Stored servers have the rules that are set for them in the window.`,

  'exit-codes': EXIT_CODES,
}
